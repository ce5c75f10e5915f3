import { beforeEach, expect, it, vi } from 'vitest';
import { submitAction, undoAction } from './actions';
import { useConnection } from './connection';
import type { ActionId } from './gen/types';

vi.mock('../app/base', () => ({ basePath: '/' }));

const sent: string[] = [];

/** Answers the first so many requests with nothing, and each later one well. */
function losing(lost: number): void {
  const fetch = async (_: string, { body }: RequestInit) => {
    if (sent.push(String(body)) <= lost) throw new TypeError('the connection was closed');
    return new Response('{"state":"done"}');
  };
  vi.stubGlobal('fetch', fetch);
}

beforeEach(() => {
  sent.length = 0;
  useConnection.setState({ status: 'online' });
});

it('retries a lost request under the same key', async () => {
  losing(1);
  expect(await submitAction({ action_type: 'a.b', args: {} })).toEqual({ state: 'done' });
  expect(sent[0]).toContain('idempotency_key');
  expect(sent).toEqual([sent[0], sent[0]]);
  losing(3);
  await undoAction('act_1' as ActionId);
  expect(sent.slice(2)).toEqual([sent[2], sent[2]]);
});

it('names this window for actions in a window', async () => {
  let name = '';
  vi.stubGlobal('sessionStorage', { getItem: () => name, setItem: (_: string, value: string) => (name = value) });
  losing(0);
  await submitAction({ action_type: 'ui.go', args: { page: 'tasks' } });
  await submitAction({ action_type: 'ui.go', args: { page: 'tasks', window: 'window-2' } });
  await submitAction({ action_type: 'ui.theme', args: { mode: 'dark' } });
  await submitAction({ action_type: 'file.list', args: {} });
  const targets = sent.map((body) => JSON.parse(body).target);
  expect(targets).toEqual([{ window: name }, undefined, undefined, undefined]);
  expect(name).not.toBe('');
});

it('gives up after the second try', async () => {
  useConnection.setState({ status: 'offline' });
  losing(2);
  const submitted = submitAction({ action_type: 'a.b', args: {} });
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  useConnection.setState({ status: 'online' });
  await expect(submitted).rejects.toThrow('Can’t reach Aside');
  expect(sent).toHaveLength(2);
});

it('sends what the server has refused only once', async () => {
  const fetch = async () => new Response('{"error":{"code":"x","message":"No.","data":null}}', { status: 409 });
  const fetched = vi.fn(fetch);
  vi.stubGlobal('fetch', fetched);
  await expect(submitAction({ action_type: 'a.b', args: {} })).rejects.toThrow('No.');
  expect(fetched).toHaveBeenCalledTimes(1);
});
