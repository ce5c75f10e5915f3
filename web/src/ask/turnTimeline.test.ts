import { expect, test } from 'vitest';
import { editRecord } from '../testing/records';
import type { StepView, TurnView } from '../threads/events';
import { answerOf, timelineOf } from './turnTimeline';

function step(number: number, text: string, rest: Partial<StepView> = {}): StepView {
  const none = { text: '', early: [] };
  const empty = { calls: [], loose: [], within: [], notices: [], leftOut: null, usage: null, cost: null };
  return {
    ...empty,
    step: number,
    text: { ...none, text },
    thinking: none,
    stop: { kind: 'end' },
    askedAgainIn: null,
    ...rest,
  };
}

function turn(...steps: StepView[]): TurnView {
  const rest = { focus: null, chips: [], end: null, usage: null, cost: null };
  return { ...rest, id: 'trn_1', text: 'fix it', by: 'ada', at: 5, model: 'm', steps };
}

const CALL = {
  call: { id: 'call_1', name: 'doc_edit', arguments: {} },
  action: 'act_1',
} as unknown as StepView['calls'][number];

test('a step is planned, executed and observed', () => {
  const outcome = { kind: 'done' as const, observation: { text: 'edited model.py\n2 changes', data: null } };
  const record = editRecord([], { state: 'done', outcome: outcome as never, created: 7, ended: 9 });
  const entries = timelineOf(
    turn(step(1, 'I rename it.\nThen more.', { calls: [CALL] })),
    new Map([['act_1', record]]),
  );
  expect(entries.map(({ phase, text, step, at }) => [phase, text, step, at])).toEqual([
    ['plan', 'I rename it.', 1, 7],
    ['execute', 'Edit model.py, 0 changes', 1, 7],
    ['observe', 'edited model.py', 1, 9],
  ]);
});

test('an action that waits is not observed yet', () => {
  const entries = timelineOf(turn(step(1, '', { calls: [CALL] })), new Map([['act_1', editRecord([])]]));
  expect(entries.map(({ phase, text }) => [phase, text])).toEqual([
    ['plan', 'Calls doc_edit'],
    ['execute', 'Edit model.py, 0 changes'],
  ]);
  expect(entries[1]).toMatchObject({ action: 'act_1', state: 'awaiting_confirmation' });
});

test('calls of the catalog are told in words', () => {
  const call = (name: string, args: object) => ({ call: { id: name, name, args }, action: null });
  const calls = [
    call('catalog_search', { query: 'rename a file' }),
    call('action_run', { action_type: 'file.move' }),
  ] as unknown as StepView['calls'];
  const notices = [{ call: 'action_run', text: 'You have not looked up `file.move`.' }];
  expect(timelineOf(turn(step(1, '', { calls, notices })), new Map()).map(({ phase, text }) => [phase, text])).toEqual([
    ['plan', 'Looks up “rename a file”, Calls file.move'],
    ['observe', 'You have not looked up `file.move`.'],
  ]);
});

test('context and the answer are no entries', () => {
  const whole = turn(step(0, '', { loose: ['act_1'] }), step(1, 'It is salty.'));
  expect(timelineOf(whole, new Map([['act_1', editRecord([])]]))).toEqual([]);
  expect(answerOf(whole)).toEqual({ text: 'It is salty.', streaming: false });
});

test('text beside calls is not the answer', () => {
  expect(answerOf(turn(step(1, 'I look.', { calls: [CALL] }))).text).toBe('');
  expect(answerOf(turn(step(1, 'It', { stop: null })))).toEqual({ text: 'It', streaming: true });
});
