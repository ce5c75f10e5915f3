import { expect, test } from 'vitest';
import { changedMiddle, pairLines } from './changed';

test('marks the renamed word', () => {
  expect(changedMiddle('    return ht(x)', '    return height(x)')).toEqual({ from: 11, oldTo: 13, newTo: 17 });
});

test('marks nothing in very different lines', () => {
  expect(changedMiddle('def total(xs):', 'import math')).toBeNull();
});

test('common ends never overlap', () => {
  expect(changedMiddle('(((', '((')).toEqual({ from: 2, oldTo: 3, newTo: 2 });
});

test('lines pair only in equal numbers', () => {
  expect(pairLines(['a = 1'], ['a = 2', 'b = 3'])).toEqual([]);
  expect(pairLines(['a = 1'], ['a = 2'])).toEqual([{ from: 4, oldTo: 5, newTo: 5 }]);
});
