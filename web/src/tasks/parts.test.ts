import { expect, test } from 'vitest';
import { planStep } from '../testing/plans';
import { hunk } from '../testing/records';
import type { Plan, PlanStep } from '../wire/gen/types';
import { isAllInText, isLastYes, leftByFile, leftWords, partKey, partsInText, partsOf } from './parts';

const HUNKS = [hunk(0, 1, ['a'], ['b']), hunk(1, 9, ['c'], ['d'])];

function step(number: number, path: string, rest: Partial<PlanStep> = {}): PlanStep {
  return { ...planStep(number, path, HUNKS), ...rest };
}

const plan = (...steps: PlanStep[]): Plan => ({ steps, completeness: 'full', hash: 'a'.repeat(64), shown: 0 });
const keysOf = (of: PlanStep) => partsOf(of).map(({ key }) => key);

test('a change is identified by content', () => {
  const file = { path: 'a.py', change: { kind: 'edited' as const }, base: null, hunks: [] };
  expect(partKey(file, hunk(3, 1, ['a'], ['b']))).toBe(partKey(file, hunk(0, 1, ['a'], ['b'])));
  expect(partKey(file, hunk(0, 1, ['a'], ['c']))).not.toBe(partKey(file, hunk(0, 1, ['a'], ['b'])));
});

test('overlapping changes of steps stay off files', () => {
  const shown = partsInText(plan(step(1, 'a.py'), step(2, 'a.py'), step(3, 'b.py')));
  expect([...new Set(shown.map(({ step: number }) => number))]).toEqual([1, 3]);
  const moved = step(1, 'src', { preview: null });
  expect(partsInText(plan(moved, step(2, 'src/a.py')))).toEqual([]);
  expect(partsInText(plan(step(1, 'a.py', { state: 'done' }), step(2, 'a.py'))).length).toBe(2);
});

test('skipped, done and undo steps have no parts', () => {
  for (const rest of [{ state: 'left_out' }, { state: 'done' }, { undoes: 'act_9' }] as const) {
    expect(partsOf(step(1, 'a.py', rest))).toEqual([]);
  }
});

test('hidden steps are confirmed on the plan’s page', () => {
  expect(isAllInText(plan(step(1, 'a.py'), step(2, 'b.py')))).toBe(true);
  expect(isAllInText(plan(step(1, 'a.py'), step(2, 'b.py', { preview: null })))).toBe(false);
  expect(isAllInText(plan(step(1, 'a.py', { risks: ['destructive'] })))).toBe(false);
});

test('hidden changes are confirmed on the plan’s page', () => {
  expect(isAllInText(plan(step(1, 'a.py'), planStep(2, 'a.py', [hunk(0, 12, ['g'], ['h'])])))).toBe(true);
  const [shown, hidden] = [hunk(0, 12, ['g'], ['h']), hunk(1, 1, ['b'], ['B'])];
  expect(isAllInText(plan(step(1, 'a.py'), planStep(2, 'a.py', [shown, hidden])))).toBe(false);
});

test('the last approval leaves nothing open', () => {
  const [one, two] = [step(1, 'a.py', { accepted: [0] }), step(2, 'b.py', { approved_by: 'ada' })];
  expect(isLastYes(plan(one, two), 1, keysOf(one).slice(1))).toBe(true);
  expect(isLastYes(plan(one, two), 1, keysOf(one).slice(0, 1))).toBe(false);
  expect(isLastYes(plan(one, step(2, 'b.py')), 1, keysOf(one))).toBe(false);
  expect(isLastYes(plan(one, step(2, 'b.py', { preview: null })), 1, keysOf(one))).toBe(false);
});

test('a plan counts open changes per file', () => {
  const rejected = [
    { path: 'a.py', change: { kind: 'edited' as const }, base: null, hunks: [hunk(0, 5, ['e'], ['f'])] },
  ];
  const first = step(1, 'a.py', { accepted: [0], rejected });
  expect(leftByFile(plan(first, step(2, 'b.py', { approved_by: 'ada' }), step(3, 'a.py')))).toEqual([
    { path: 'a.py', words: '3 of 5 changes left' },
    { path: 'b.py', words: 'all 2 changes reviewed' },
  ]);
  expect(leftByFile(plan(planStep(1, 'c.py', [hunk(0, 1, ['a'], ['b'])])))).toEqual([
    { path: 'c.py', words: '1 change left' },
  ]);
});

test('a step says what is left of it', () => {
  expect(leftWords(step(1, 'a.py'))).toBe('2 of 2 changes left');
  expect(leftWords(step(1, 'a.py', { accepted: [1] }))).toBe('1 of 2 changes left');
  const rejected = [
    { path: 'a.py', change: { kind: 'edited' as const }, base: null, hunks: [hunk(0, 5, ['e'], ['f'])] },
  ];
  expect(leftWords(step(1, 'a.py', { accepted: [0, 1], rejected }))).toBe('all 3 changes reviewed');
  expect(leftWords(step(1, 'a.py', { state: 'left_out' }))).toBe('');
});
