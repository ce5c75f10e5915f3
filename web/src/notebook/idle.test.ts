import { afterEach, expect, it, vi } from 'vitest';
import { whenIdle } from './idle';

afterEach(() => vi.unstubAllGlobals());

/** A browser whose moments of rest are given by hand. */
function browser() {
  const asked: IdleRequestCallback[] = [];
  const requestIdleCallback = (run: IdleRequestCallback) => asked.push(run);
  vi.stubGlobal('window', { requestIdleCallback });
  vi.stubGlobal('requestIdleCallback', requestIdleCallback);
  return {
    asked,
    rest: (milliseconds: number) => asked.shift()?.({ didTimeout: false, timeRemaining: () => milliseconds }),
  };
}

it('does in a moment of rest as much as fits, and asks for another for what is left', () => {
  const { asked, rest } = browser();
  const done: number[] = [];
  for (const each of [1, 2, 3]) whenIdle(() => done.push(each));
  expect(asked).toHaveLength(1);
  rest(0);
  expect(done).toEqual([1]);
  rest(40);
  expect([done, asked]).toEqual([[1, 2, 3], []]);
});

it('leaves out what was taken back', () => {
  const { rest } = browser();
  const done: number[] = [];
  const back = whenIdle(() => done.push(1));
  whenIdle(() => done.push(2));
  back();
  rest(40);
  expect(done).toEqual([2]);
});
