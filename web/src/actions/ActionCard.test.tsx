// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { descriptor } from '../testing/descriptors';
import { editRecord, hunk } from '../testing/records';
import type { ActionId, ActionRecord } from '../wire/gen/types';
import { RequestFailed } from '../wire/requests';
import { ActionCard } from './ActionCard';
import { learn, useActions } from './store';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
const sent = vi.hoisted(() => vi.fn());
vi.mock('../wire/actions', () => ({ decideAction: sent, stopAction: sent, undoAction: sent }));

const GUEST = descriptor('guest.invite', 'Invite a guest');
const chosen = vi.hoisted(() => vi.fn());
vi.mock('../ask/choose', () => ({ choose: chosen }));
vi.mock('../wire/resource', async (actual) => ({
  ...(await actual<object>()),
  useResource: () => ({ data: [GUEST] }),
}));

const TWO = editRecord([hunk(0, 3, ['a'], ['b']), hunk(1, 9, ['c'], ['<b>d\u202e</b>'])]);

async function shown(record: ActionRecord): Promise<HTMLElement> {
  const host = document.createElement('div');
  learn(record);
  await act(async () => createRoot(host).render(<ActionCard id={record.envelope.id} />));
  await act(async () => vi.advanceTimersByTime(500));
  return host;
}

function button(host: HTMLElement, label: string): HTMLButtonElement | undefined {
  return [...host.querySelectorAll('button')].find((each) => each.textContent === label);
}

beforeEach(() => {
  vi.useFakeTimers();
  sent.mockReset();
  useActions.setState({ records: new Map(), deciding: new Map(), renewed: new Set(), problems: new Map() });
});

test('a waiting action opens and shows hidden characters', async () => {
  const host = await shown(TWO);
  expect(host.textContent).toContain('<b>dU+202E</b>');
  expect(host.querySelector('b')).toBeNull();
  expect(host.textContent).toContain('thread/review-each');
});

test('an answer needs a seen preview', async () => {
  const host = document.createElement('div');
  learn(TWO);
  await act(async () => createRoot(host).render(<ActionCard id="act_1" />));
  expect(button(host, 'Accept all')?.disabled).toBe(true);
  await act(async () => vi.advanceTimersByTime(500));
  expect(button(host, 'Accept all')?.disabled).toBe(false);
});

test('accepting is bound to the preview', async () => {
  const host = await shown(TWO);
  sent.mockResolvedValue({ record: { ...TWO, state: 'done', can_undo: true } });
  await act(async () => button(host, 'Accept all')?.click());
  expect(sent).toHaveBeenCalledWith('act_1', { decision: 'approve', hash: TWO.approval_hash });
  expect(button(host, 'Undo')).toBeDefined();
});

test('a changed file brings a new preview', async () => {
  const host = await shown(TWO);
  const renewed = { ...editRecord([hunk(0, 5, ['a'], ['e'])]), approval_hash: 'b'.repeat(64) };
  const failure = { code: 'stale', message: 'The file has changed since it was shown.', data: renewed };
  sent.mockRejectedValue(new RequestFailed(409, failure));
  await act(async () => button(host, 'Accept all')?.click());
  expect(host.textContent).toContain('Line 5');
  expect(host.textContent).toContain('Review it again');
});

test('a rejected change can be read and copied', async () => {
  const parts = [{ part: 0, decision: 'reject', action: null, by: 'ada', at: 0 } as const];
  const host = await shown({ ...TWO, parts });
  expect(host.textContent).toContain('Rejected');
  expect(button(host, 'Copy')).toBeDefined();
});

test('a read that worked takes one line', async () => {
  const envelope = { ...TWO.envelope, action_type: 'doc.read', risk_level: ['read' as const] };
  const observation = { text: '1 import math', data: null, label: 'workspace' as const };
  const host = await shown({ ...TWO, envelope, preview: null, state: 'done', outcome: { kind: 'done', observation } });
  expect(host.querySelector('summary')?.textContent).toBe('Read model.py');
});

test('a person-only request can be begun', async () => {
  const failure = { code: 'person_only', message: 'only the user can let guests in', data: null };
  const outcome = { kind: 'refused' as const, by: 'request' as const, failure };
  const envelope = { ...TWO.envelope, id: 'act_own' as ActionId, action_type: 'guest.invite' };
  vi.useRealTimers();
  const host = document.createElement('div');
  learn({ ...TWO, envelope, state: 'refused', preview: null, outcome });
  await act(async () => createRoot(host).render(<ActionCard id="act_own" />));
  await vi.waitFor(() => expect(button(host, 'Do it yourself: Invite a guest')).toBeDefined());
  await act(async () => button(host, 'Do it yourself: Invite a guest')?.click());
  expect(chosen).toHaveBeenCalledWith({ kind: 'action', descriptor: GUEST });
});
