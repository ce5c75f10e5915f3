import { expect, test } from 'vitest';
import { rowsOf } from './result';

test('lists of flat objects are tables', () => {
  expect(
    rowsOf([
      { a: 1, b: 'x' },
      { a: null, c: true },
    ]),
  ).toEqual({
    columns: ['a', 'b', 'c'],
    cells: [
      ['1', 'x', ''],
      ['', '', 'true'],
    ],
  });
});

test('other results are no tables', () => {
  for (const value of [[], [1], [{ a: { b: 1 } }], [{}], { a: 1 }, 'text', [[1]], [null]])
    expect(rowsOf(value)).toBeNull();
});
