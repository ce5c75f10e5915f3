// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { Announcer, announce } from '../ui/Announcer';
import type { TurnEnd } from '../wire/gen/types';
import { EMPTY_THREAD, type ThreadView, type TurnView } from './events';
import { useAnnouncements } from './useAnnouncements';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const FAILED = {
  kind: 'failed',
  failure: { code: 'x', message: 'The model is gone.', data: null },
} as unknown as TurnEnd;

function thread(...turns: readonly [id: string, end: TurnEnd | null][]): ThreadView {
  return { ...EMPTY_THREAD, turns: turns.map(([id, end]) => ({ id, end, steps: [] }) as unknown as TurnView) };
}

function Listener({ of, view, caughtUp }: { of: string; view: ThreadView; caughtUp: boolean }) {
  useAnnouncements(of, view, caughtUp);
  return <Announcer />;
}

test('a turn’s end is announced once', async () => {
  vi.useFakeTimers();
  const root = createRoot(document.body);
  const show = (of: string, view: ThreadView, caughtUp = true) =>
    act(() => root.render(<Listener of={of} view={view} caughtUp={caughtUp} />));
  const said = () => [...document.querySelectorAll('[aria-live] p')].map((each) => each.textContent);
  show('one', EMPTY_THREAD, false);
  show('one', thread(['a', FAILED]));
  expect(said()).toEqual([]);
  show('one', thread(['a', FAILED], ['b', FAILED]));
  expect(said()).toHaveLength(1);
  act(() => announce('Something else'));
  expect(said()).toHaveLength(2);
  act(() => vi.advanceTimersByTime(1000));
  show('two', thread(['c', FAILED]));
  show('two', thread(['c', FAILED], ['d', null]));
  expect(said()).toEqual([]);
  show('two', thread(['c', FAILED], ['d', FAILED]));
  expect(said()).toHaveLength(1);
  act(() => root.unmount());
  vi.useRealTimers();
});
