import { expect, test } from 'vitest';
import type { ThreadEvent } from '../wire/gen/types';
import { plannedIn } from './planner';

const answer = (turn: string, step: number) =>
  ({
    seq: step,
    at: 0,
    body: { type: 'step_ended', turn, step, text: 'I look.', thinking: '', calls: [], stop: { kind: 'end' } },
  }) as unknown as ThreadEvent;

test('planner output has the steps of its turns', () => {
  const other = { seq: 9, at: 0, body: { type: 'step_started', turn: 'trn_1', step: 2 } } as unknown as ThreadEvent;
  expect(plannedIn([answer('trn_1', 1), other, answer('trn_2', 1)], ['trn_1'])).toEqual([
    { step: 1, text: 'I look.', calls: [], stop: 'end' },
  ]);
});
