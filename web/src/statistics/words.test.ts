import { expect, test } from 'vitest';
import type { Statistics } from '../wire/gen/types';
import { className, durationWords, endedOf, isEmpty, percent } from './words';

test('times have the largest unit that fits', () => {
  const times = [95_000, 180_000, 3 * 3_600_000, 4 * 86_400_000].map(durationWords);
  expect(times).toEqual(['95 s', '3 min', '3 h', '4 days']);
});

test('a share of nothing is no number', () => {
  expect([percent(2, 3), percent(0, 4), percent(0, 0)]).toEqual(['67 %', '0 %', '–']);
});

test('a class without a risk is the window', () => {
  const counts = { done: 2, failed: 1, refused: 0, interrupted: 1 };
  expect([className(counts), className({ ...counts, risk: 'destructive' })]).toEqual([
    'Change the window',
    'Delete or overwrite',
  ]);
  expect(endedOf(counts)).toBe(4);
});

test('one count is enough to show them', () => {
  const nothing = {
    days: 30,
    from: 0,
    sentences: { rules: 0, model: 0, handed_on: 0, actions: [] },
    classes: [],
    tasks: { completed: 0, failed: 0, cancelled: 0 },
    confirmations: { asked: 0, approved: 0, rejected: 0 },
    refusals: { policy: 0, grant: 0, person: 0, request: 0 },
    undos: { within_minute: 0, later: 0 },
  } satisfies Statistics;
  expect(isEmpty(nothing)).toBe(true);
  expect(isEmpty({ ...nothing, tasks: { completed: 0, failed: 1, cancelled: 0 } })).toBe(false);
});
