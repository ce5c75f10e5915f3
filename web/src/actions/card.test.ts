import { expect, test } from 'vitest';
import { editRecord, hunk } from '../testing/records';
import type { ActionRecord, ActionState } from '../wire/gen/types';
import { cardOf, isQuiet, openParts, toRedo, toUndo } from './card';
import { titleOf } from './title';

const HUNKS = [hunk(0, 1, ['a'], ['b']), hunk(1, 9, ['c'], ['d'])];
const AWAITING = editRecord(HUNKS);

function face(record: ActionRecord): string {
  const { word, icon, tone, buttons } = cardOf(record);
  return `${word} | ${icon} | ${tone} | ${buttons.map((button) => button.label).join(', ')}`;
}

test('each state has words, icon, colour and buttons', () => {
  const states: [ActionState, Partial<ActionRecord>, string][] = [
    ['proposed', {}, 'proposed | circle | quiet | '],
    ['awaiting_confirmation', {}, 'waiting for you | hand | warn | Accept all, Reject all'],
    ['running', {}, 'running | spinner | accent | '],
    ['done', { can_undo: true }, 'done | check | ok | Undo'],
    ['done', {}, 'done | check | ok | '],
    ['done', { can_undo: true, undo_until: Date.now() + 60_000 }, 'done | check | ok | Undo'],
    ['done', { can_undo: true, undo_until: Date.now() }, 'done | check | ok | '],
    ['failed', { can_undo: true }, 'failed | error | err | Undo'],
    ['interrupted', {}, 'interrupted | clock | warn | '],
    ['undone', { undone_by: 'act_9' }, 'undone | undo | quiet | Redo'],
  ];
  for (const [state, rest, expected] of states) expect(face({ ...AWAITING, ...rest, state })).toBe(expected);
});

test('a running program shows output and can stop', () => {
  const running: ActionRecord = {
    ...AWAITING,
    state: 'running',
    envelope: { ...AWAITING.envelope, risk_level: ['network'] },
  };
  expect(cardOf(running)).toMatchObject({ open: true, buttons: [{ intent: 'stop', label: 'Stop' }] });
});

test('a person’s rejection differs from a rule’s refusal', () => {
  const refused = (by: 'person' | 'policy'): ActionRecord => ({
    ...AWAITING,
    state: 'refused',
    outcome: { kind: 'refused', by, failure: { code: 'refused', message: 'No', data: null } },
  });
  expect(cardOf(refused('person')).word).toBe('rejected');
  expect(cardOf(refused('policy')).word).toBe('not allowed');
});

test('one change is accepted, several are accepted together', () => {
  const decided: ActionRecord = {
    ...AWAITING,
    parts: [{ part: 0, decision: 'reject', action: null, by: 'ada', at: 0 }],
  };
  expect(openParts(decided)).toEqual([1]);
  expect(cardOf(decided).buttons.map((button) => button.label)).toEqual(['Accept', 'Reject']);
});

test('counts the accepted changes of a decided edit', () => {
  const parts = [
    { part: 0, decision: 'approve', action: 'act_2', by: 'ada', at: 0 } as const,
    { part: 1, decision: 'reject', action: null, by: 'ada', at: 0 } as const,
  ];
  expect(cardOf({ ...AWAITING, state: 'done', parts }).word).toBe('done, 1 of 2 changes accepted');
});

test('requests announce politely, failures at once, reads never', () => {
  expect(cardOf(AWAITING).announcement).toEqual({
    text: 'Needs your confirmation: Edit model.py, 2 changes. Ctrl-J to review',
    assertive: false,
  });
  const failure = { code: 'stale', message: 'The file has changed.', data: null };
  const failed: ActionRecord = { ...AWAITING, state: 'failed', outcome: { kind: 'failed', failure } };
  expect(cardOf(failed).announcement).toEqual({
    text: 'Failed: Edit model.py, 2 changes. The file has changed.',
    assertive: true,
  });
  const read: ActionRecord = { ...AWAITING, state: 'done', envelope: { ...AWAITING.envelope, risk_level: ['read'] } };
  expect(isQuiet(read)).toBe(true);
  expect(cardOf(read).announcement).toBeNull();
});

test('an action without preview has verb and object', () => {
  const title = (action_type: string, args: unknown) =>
    titleOf({ ...AWAITING, preview: null, envelope: { ...AWAITING.envelope, action_type, args } });
  expect(title('doc.read', { path: 'a/b.py', start: 3, end: 9 })).toBe('Read a/b.py, lines 3–9');
  expect(title('catalog.search', { query: 'move a file' })).toBe('Search actions: move a file');
  expect(title('kernel.interrupt', { name: 'main' })).toBe('Kernel interrupt main');
});

test('undo and redo go through parts, last first', () => {
  const done: ActionRecord = { ...AWAITING, state: 'done' };
  const one: ActionRecord = { ...editRecord([], {}, 'act_2'), state: 'done', can_undo: true };
  const two: ActionRecord = { ...editRecord([], {}, 'act_3'), state: 'done', can_undo: true };
  expect(toUndo(done, [one, two])).toEqual(['act_3', 'act_2']);
  expect(cardOf(done, [one, two]).buttons.map((button) => button.label)).toEqual(['Undo']);
  const undone = [one, two].map(
    (part): ActionRecord => ({ ...part, state: 'undone', undone_by: `${part.envelope.id}_undo` }),
  );
  expect(cardOf(done, undone)).toMatchObject({ word: 'undone', buttons: [{ label: 'Redo' }] });
  expect(toRedo(done, undone)).toEqual(['act_2_undo', 'act_3_undo']);
});
