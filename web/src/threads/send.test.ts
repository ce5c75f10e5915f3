// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { setUnsynced } from '../documents/unsynced';
import type { Thread } from '../wire/gen/types';
import { RequestFailed } from '../wire/requests';
import { attach, attachedTo } from './attached';
import { NEW, setDraft, useDrafts } from './drafts';
import { send, sendDraft } from './send';
import { useSending } from './sending';
import { useThreads } from './state';
import { showThread } from './store';

const request = vi.hoisted(() => vi.fn());
vi.mock('../wire/requests', async (original) => ({ ...(await original<object>()), request }));
vi.mock('../wire/resource', async (original) => ({ ...(await original<object>()), known: async () => undefined }));

const turns = () => request.mock.calls.filter(([, path]) => path.endsWith('/turns'));
const drafts = () => useDrafts.getState().drafts;
const LOST = new RequestFailed(0, { code: 'offline', message: 'gone', data: null });

beforeEach(() => {
  vi.useRealTimers();
  setUnsynced('a.py', 0);
  request.mockReset();
  request.mockImplementation(async (_, path: string) =>
    path === 'threads' ? ({ id: 'begun', updated: 1 } as Thread) : {},
  );
  for (const thread of ['a', 'b', 'begun', NEW]) setDraft(thread, '');
  useSending.setState({ busy: false, problem: null });
  showThread('a');
});

test('a message belongs to the thread shown then', async () => {
  setDraft('a', 'for a');
  setDraft('b', 'for b');
  const sending = sendDraft();
  showThread('b');
  await sending;
  expect(turns().map(([, path, { text }]) => [path, text])).toEqual([['threads/a/turns', 'for a']]);
  expect(drafts()).toEqual({ b: 'for b' });
});

test('text typed during sending stays', async () => {
  setDraft('a', 'first');
  const sending = sendDraft();
  setDraft('a', 'second');
  await sending;
  expect(drafts()).toEqual({ a: 'second' });
});

test('a lost thread start retries under its key', async () => {
  const keys = () => request.mock.calls.filter(([, path]) => path === 'threads').map(([, , { key }]) => key);
  showThread(null);
  request.mockRejectedValueOnce(LOST);
  expect(await send('hello')).toBeNull();
  expect(await send('hello')).toBe('begun');
  showThread(null);
  expect(await send('hello')).toBe('begun');
  const [lost, again, other] = keys();
  expect([typeof lost, again === lost, other === lost]).toEqual(['string', true, false]);
});

test('a lost message retries under its key', async () => {
  const keys = () => turns().map(([, , { key }]) => key);
  request.mockRejectedValueOnce(LOST);
  expect(await send('hello')).toBeNull();
  expect(useSending.getState().problem).toEqual({ thread: 'a', failure: LOST.failure });
  expect(await send('hello')).toBe('a');
  expect(await send('hello')).toBe('a');
  const [lost, again, other] = keys();
  expect([again === lost, other === lost]).toEqual([true, false]);
  request.mockRejectedValueOnce(LOST);
  await send('hello');
  attach('a', { kind: 'thread', thread: 'b' });
  await send('hello');
  expect(keys().at(-1)).not.toBe(keys().at(-2));
});

test('a new thread keeps attachments of failed messages', async () => {
  showThread(null);
  setDraft(NEW, 'hello');
  attach(null, { kind: 'thread', thread: 'b' });
  request.mockImplementationOnce(async () => ({ id: 'begun', updated: 1 }) as Thread).mockRejectedValueOnce(LOST);
  await sendDraft();
  expect([useThreads.getState().current, drafts()]).toEqual(['begun', { begun: 'hello' }]);
  expect([attachedTo('begun').length, attachedTo(null).length]).toEqual([1, 0]);
  await sendDraft();
  expect(turns().at(-1)?.[2].attached).toHaveLength(1);
  expect([attachedTo('begun').length, drafts()]).toEqual([0, {}]);
});

test('a message waits for unsynced changes', async () => {
  vi.useFakeTimers();
  setUnsynced('a.py', 2);
  setDraft('a', 'what is this?');
  const sending = sendDraft();
  await vi.advanceTimersByTimeAsync(4000);
  await sending;
  expect(turns()).toEqual([]);
  expect(drafts()).toEqual({ a: 'what is this?' });
  expect(useSending.getState().problem?.failure.message).toBe('your last changes have not reached Aside');
  const again = sendDraft();
  await vi.advanceTimersByTimeAsync(100);
  setUnsynced('a.py', 0);
  await again;
  expect([turns().length, drafts()]).toEqual([1, {}]);
});
