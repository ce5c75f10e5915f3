// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { step } from '../testing/descriptors';
import { editRecord } from '../testing/records';
import { useQuick } from './quick';

const sent = vi.hoisted(() => ({ submitted: [] as unknown[], posted: [] as unknown[], answer: {} as unknown }));

vi.mock('../ui/Toast', () => ({ toast: vi.fn(), toastFailure: vi.fn() }));
vi.mock('../wire/actions', () => ({
  submitAction: (body: unknown) => {
    sent.submitted.push(body);
    return Promise.resolve(sent.answer);
  },
  undoAction: vi.fn(),
  untilAnswered: (send: () => unknown) => send(),
}));
vi.mock('../wire/requests', () => ({
  newKey: () => 'key',
  failureOf: (error: unknown) => error,
  request: (method: string, path: string, body: unknown) => {
    sent.posted.push([method, path, body]);
    return path === 'tasks'
      ? Promise.resolve({ task: { id: 'tsk_1', turns: [], goal: '', source: { kind: 'plan' } } })
      : Promise.reject('none');
  },
}));

import { toast, toastFailure } from '../ui/Toast';
import { perform } from './perform';

const RECORD = editRecord([], { state: 'done', can_undo: true });
const DONE = { id: 'act_1', state: 'done', record: RECORD, outcome: { kind: 'done', observation: { text: 'done' } } };

function understood(action_type: string, risk: 'window' | 'read' | 'write') {
  return { actions: [step(action_type, { args: { path: 'a' } })], title: 'Title', detail: '', risk };
}

beforeEach(() => {
  useQuick.setState({ quick: null });
  vi.mocked(toast).mockClear();
  sent.submitted.length = 0;
  sent.posted.length = 0;
  sent.answer = DONE;
});

test('a change of the window offers Undo', async () => {
  await perform('close', understood('ui.tabs.close', 'window'));
  expect(sent.submitted).toEqual([
    { action_type: 'ui.tabs.close', args: { path: 'a' }, audit_context: { said: 'close' } },
  ]);
  expect(toast).toHaveBeenCalledWith('done', expect.objectContaining({ label: 'Undo' }));
  expect(useQuick.getState().quick).toBeNull();
});

test('a read shows its answer', async () => {
  await perform('what is there', understood('file.list', 'read'));
  expect(useQuick.getState().quick).toEqual({ kind: 'action', text: 'what is there', action: 'act_1' });
});

test('an effect becomes a plan that waits', async () => {
  await perform('delete a', understood('file.delete', 'write'));
  expect(sent.submitted).toEqual([]);
  const steps = [{ action_type: 'file.delete', args: { path: 'a' } }];
  expect(sent.posted).toEqual([['POST', 'tasks', { goal: 'delete a', steps, idempotency_key: 'key' }]]);
  expect(useQuick.getState().quick).toEqual({ kind: 'task', text: 'delete a', task: 'tsk_1' });
});

test('a failure stops the actions after it', async () => {
  sent.answer = { ...DONE, state: 'failed', outcome: { kind: 'failed', failure: { code: 'x', message: 'no' } } };
  const one = understood('ui.go', 'window');
  await perform('go', { ...one, actions: [...one.actions, ...one.actions] });
  expect(sent.submitted.length).toBe(1);
  expect(toastFailure).toHaveBeenCalledWith({ code: 'x', message: 'no' });
});
