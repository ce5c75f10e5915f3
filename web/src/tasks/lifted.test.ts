import { expect, test } from 'vitest';
import { planStep } from '../testing/plans';
import { hunk } from '../testing/records';
import type { Hunk } from '../wire/gen/types';
import { lifted } from './lifted';

/** Two lines instead of the third, and the ninth gone. */
const FIRST = planStep(1, 'a.py', [hunk(0, 3, ['c'], ['c1', 'c2']), hunk(1, 9, ['i'], [])]);

/** The line at which a change after `FIRST` stands before it. */
const lineOf = (of: Hunk, ...steps: (typeof FIRST)[]) => lifted(of, 'a.py', [FIRST, ...steps])?.start ?? null;
const inserted = (start: number, before: string[], after: string[]) => ({
  ...hunk(0, start, [], ['x']),
  before,
  after,
});

test('a change keeps its line before earlier steps', () => {
  expect(lineOf(hunk(0, 1, ['a', 'b'], ['A']))).toBe(1);
  expect(lineOf(hunk(0, 5, ['d'], ['D']))).toBe(4);
  expect(lineOf(hunk(0, 9, ['h'], ['H']))).toBe(8);
  expect(lineOf(hunk(0, 10, ['j'], ['J']))).toBe(10);
});

test('a change on earlier steps’ lines has no place', () => {
  expect(lineOf(hunk(0, 3, ['c1'], ['C']))).toBeNull();
  expect(lineOf(hunk(0, 4, ['c2', 'd'], ['C']))).toBeNull();
  expect(lineOf(hunk(0, 2, ['b', 'c1', 'c2', 'd'], ['B']))).toBeNull();
  expect(lineOf(hunk(0, 9, ['h', 'j'], ['H']))).toBeNull();
});

test('new lines stand between unchanged lines', () => {
  expect(lineOf(inserted(7, ['e'], ['f']))).toBe(6);
  expect(lineOf(inserted(5, ['c2'], ['d']))).toBeNull();
});

test('every earlier step counts, the last one first', () => {
  const second = planStep(2, 'a.py', [hunk(0, 1, [], ['zero'])]);
  expect(lineOf(hunk(0, 6, ['d'], ['D']), second)).toBe(4);
});

test('a file with other earlier actions is hidden', () => {
  const created = planStep(1, 'a.py', [hunk(0, 1, [], ['a'])], { kind: 'created' });
  const opaque = { ...planStep(1, 'a.py', []), preview: null };
  expect(lifted(hunk(0, 5, ['d'], ['D']), 'a.py', [created])).toBeNull();
  expect(lifted(hunk(0, 5, ['d'], ['D']), 'a.py', [opaque])).toBeNull();
  expect(lifted(hunk(0, 5, ['d'], ['D']), 'b.py', [created])?.start).toBe(5);
});
