// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { useConnection } from '../wire/connection';
import { ReadState } from './ReadState';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
const FAILURE = { code: 'io', message: 'the file can’t be read', data: null };

async function shown(props: Partial<Parameters<typeof ReadState>[0]>): Promise<HTMLElement> {
  const host = document.createElement('div');
  const state = { shown: false, loading: false, failure: undefined, onAgain: () => {}, ...props };
  await act(async () => createRoot(host).render(<ReadState {...state} />));
  return host;
}

beforeEach(() => useConnection.setState({ status: 'online' }));

test('shows loading only before data is there', async () => {
  expect((await shown({ loading: true })).textContent).toBe('Loading…');
  expect((await shown({ loading: true, shown: true })).textContent).toBe('');
});

test('a failure offers Retry and keeps old data', async () => {
  const onAgain = vi.fn();
  const host = await shown({ failure: FAILURE, shown: true, onAgain });
  expect(host.querySelector('[role=alert]')?.textContent).toContain('out of date. The file can’t be read.');
  host.querySelector('button')?.click();
  expect(onAgain).toHaveBeenCalledOnce();
});

test('text in backticks is code', async () => {
  const host = await shown({ failure: { ...FAILURE, hint: 'try `aside doctor`' } });
  expect([host.querySelector('code')?.textContent, host.textContent?.includes('`')]).toEqual(['aside doctor', false]);
});

test('data is marked outdated while offline', async () => {
  useConnection.setState({ status: 'offline' });
  expect((await shown({ shown: true })).textContent).toContain('may be out of date');
});
