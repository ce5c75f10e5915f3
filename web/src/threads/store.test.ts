// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { connection, type ThreadListener, useConnection } from '../wire/connection';
import type { Thread } from '../wire/gen/types';
import { useThreads } from './state';
import { follow, learnThread, readThreads, showThread } from './store';

const request = vi.hoisted(() => vi.fn());
vi.mock('../wire/requests', async (original) => ({ ...(await original<object>()), request }));

/** Who is listened to now. */
const heard = new Map<string, ThreadListener>();
connection.subscribeThread = (thread, listener) => {
  heard.set(thread, listener);
  return () => heard.delete(thread);
};

const thread = (id: string, more: Partial<Thread> = {}) => ({ id, updated: 1, ...more }) as Thread;

beforeEach(() => {
  request.mockReset();
  showThread(null);
});

test('only recent, running and followed threads stay open', () => {
  follow('kept');
  useConnection.setState({ running: new Set(['0']) });
  for (let number = 0; number < 60; number++) showThread(String(number));
  expect([heard.has('kept'), heard.has('0'), heard.has('1'), heard.has('59')]).toEqual([true, true, false, true]);
  expect(heard.size).toBeLessThanOrEqual(52);
  showThread('1');
  expect(heard.has('1')).toBe(true);
});

test('a thread without followers closes', () => {
  const ends = [follow('cell'), follow('cell')];
  const showMany = () => {
    for (let number = 0; number < 60; number++) showThread(`other ${number}`);
  };
  ends[0]?.();
  showMany();
  expect(heard.has('cell')).toBe(true);
  ends[1]?.();
  showMany();
  expect(heard.has('cell')).toBe(false);
});

test('a thread’s failure is known until it loads', () => {
  showThread('gone');
  const failure = { code: 'not_found', message: 'there is no thread gone', data: null };
  heard.get('gone')?.onRefused?.(failure);
  expect(useThreads.getState().refused.get('gone')).toEqual(failure);
});

test('threads missing from the list are forgotten', async () => {
  learnThread(thread('here'), thread('gone'), thread('cell', { cell: 'key' }));
  showThread('gone');
  request.mockImplementation(async () => {
    learnThread(thread('new'));
    return [thread('here')];
  });
  await readThreads();
  const { threads, current } = useThreads.getState();
  expect([...threads.keys()].sort()).toEqual(['cell', 'here', 'new']);
  expect([current, heard.has('gone')]).toEqual([null, false]);
});
