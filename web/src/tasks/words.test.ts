import { expect, test } from 'vitest';
import type { Plan, PlanStep, Task } from '../wire/gen/types';
import { classesOf, isDestructive, openSteps, progressShare, progressWords, stateOf, stepTitle } from './words';

const task = (rest: Partial<Task>) =>
  ({ state: 'running', paused: null, undone_by: null, progress: { step: 2, of: 5, done: 1 }, ...rest }) as Task;
const step = (number: number, rest: object = {}) =>
  ({
    number,
    request: { action_type: 'doc.edit', args: {} },
    risks: ['write'],
    preview: null,
    problem: null,
    approved_by: null,
    state: 'waiting',
    ...rest,
  }) as PlanStep;

test('pause and undo take precedence over state', () => {
  expect(stateOf(task({})).word).toBe('running');
  expect(stateOf(task({ paused: 'person' })).word).toBe('paused');
  expect(stateOf(task({ state: 'completed', undone_by: 'tsk_2' })).word).toBe('undone');
});

test('shows progress as far as known', () => {
  expect(progressWords(task({}))).toBe('step 2 of 5');
  expect(progressWords(task({ progress: { step: 0, of: 1, done: 0 } }))).toBe('1 step');
  expect(progressWords(task({ progress: { step: 3, of: null, done: 2 } }))).toBe('2 done');
  expect(progressShare(task({}))).toBe(0.2);
  expect(progressShare(task({ progress: { step: 3, of: null, done: 2 } }))).toBe(null);
});

test('confirmed, skipped and impossible steps need no answer', () => {
  const plan = {
    steps: [
      step(1),
      step(2, { approved_by: 'ada' }),
      step(3, { state: 'left_out' }),
      step(4, { problem: { code: 'x', message: 'no', data: null } }),
    ],
  } as Plan;
  expect(openSteps(plan).map((each) => each.number)).toEqual([1]);
});

test('kinds appear only if there are several', () => {
  const remove = step(3, { request: { action_type: 'file.delete', args: {} }, risks: ['destructive'] });
  expect(classesOf([step(1), step(2)])).toEqual([]);
  expect(classesOf([step(1), step(2), remove])).toEqual([
    { actionType: 'doc.edit', count: 2 },
    { actionType: 'file.delete', count: 1 },
  ]);
  expect(isDestructive([step(1)])).toBe(false);
  expect(isDestructive([step(1), remove])).toBe(true);
  expect(stepTitle(remove)).toBe('file.delete');
});
