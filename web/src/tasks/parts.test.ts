import { expect, test } from 'vitest';
import { editRecord, hunk } from '../testing/records';
import type { Plan, PlanStep } from '../wire/gen/types';
import { isAllInText, isLastYes, leftWords, partKey, partsInText, partsOf } from './parts';

const HUNKS = [hunk(0, 1, ['a'], ['b']), hunk(1, 9, ['c'], ['d'])];

function step(number: number, path: string, rest: Partial<PlanStep> = {}): PlanStep {
  const { preview, verdict, assessment, envelope } = editRecord(HUNKS);
  const body = {
    kind: 'diff' as const,
    files: [{ path, change: { kind: 'edited' as const }, base: null, hunks: HUNKS }],
  };
  return {
    number,
    request: { action_type: 'doc.edit', target: {}, args: {} },
    undoes: null,
    risks: envelope.risk_level,
    verdict,
    assessment,
    preview: preview && { ...preview, body },
    leaves: [{ object: { kind: 'file', id: path }, version: null }],
    as_if_without: null,
    problem: null,
    state: 'waiting',
    accepted: [],
    rejected: [],
    approved_by: null,
    action: null,
    outcome: null,
    ...rest,
  };
}

const plan = (...steps: PlanStep[]): Plan => ({ steps, completeness: 'full', hash: 'a'.repeat(64), shown: 0 });
const keysOf = (of: PlanStep) => partsOf(of).map(({ key }) => key);

test('a change is told from others by what it is, not by its number', () => {
  const file = { path: 'a.py', change: { kind: 'edited' as const }, base: null, hunks: [] };
  expect(partKey(file, hunk(3, 1, ['a'], ['b']))).toBe(partKey(file, hunk(0, 1, ['a'], ['b'])));
  expect(partKey(file, hunk(0, 1, ['a'], ['c']))).not.toBe(partKey(file, hunk(0, 1, ['a'], ['b'])));
});

test('only changes of texts that no earlier step changes are shown in their files', () => {
  const shown = partsInText(plan(step(1, 'a.py'), step(2, 'a.py'), step(3, 'b.py')));
  expect([...new Set(shown.map(({ step: number }) => number))]).toEqual([1, 3]);
  const moved = step(1, 'src', { preview: null });
  expect(partsInText(plan(moved, step(2, 'src/a.py')))).toEqual([]);
  expect(partsInText(plan(step(1, 'a.py', { state: 'done' }), step(2, 'a.py'))).length).toBe(2);
});

test('a step that is left out, done or a way back has nothing to answer', () => {
  for (const rest of [{ state: 'left_out' }, { state: 'done' }, { undoes: 'act_9' }] as const) {
    expect(partsOf(step(1, 'a.py', rest))).toEqual([]);
  }
});

test('a plan with steps that no editor shows is confirmed on its page', () => {
  expect(isAllInText(plan(step(1, 'a.py'), step(2, 'b.py')))).toBe(true);
  expect(isAllInText(plan(step(1, 'a.py'), step(2, 'b.py', { preview: null })))).toBe(false);
  expect(isAllInText(plan(step(1, 'a.py', { risks: ['destructive'] })))).toBe(false);
});

test('the last yes is the one after which nothing of the plan is open', () => {
  const [one, two] = [step(1, 'a.py', { accepted: [0] }), step(2, 'b.py', { approved_by: 'ada' })];
  expect(isLastYes(plan(one, two), 1, keysOf(one).slice(1))).toBe(true);
  expect(isLastYes(plan(one, two), 1, keysOf(one).slice(0, 1))).toBe(false);
  expect(isLastYes(plan(one, step(2, 'b.py')), 1, keysOf(one))).toBe(false);
  expect(isLastYes(plan(one, step(2, 'b.py', { preview: null })), 1, keysOf(one))).toBe(false);
});

test('a step says what is left of it', () => {
  expect(leftWords(step(1, 'a.py'))).toBe('2 of 2 changes left');
  expect(leftWords(step(1, 'a.py', { accepted: [1] }))).toBe('1 of 2 changes left');
  const rejected = [
    { path: 'a.py', change: { kind: 'edited' as const }, base: null, hunks: [hunk(0, 5, ['e'], ['f'])] },
  ];
  expect(leftWords(step(1, 'a.py', { accepted: [0, 1], rejected }))).toBe('all of 3 changes answered');
  expect(leftWords(step(1, 'a.py', { state: 'left_out' }))).toBe('');
});
