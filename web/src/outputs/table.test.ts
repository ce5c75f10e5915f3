import { expect, test } from 'vitest';
import { cellText, rangeWords, tableOf } from './table';

test('reads tables with and without a schema', () => {
  const data = [{ a: 1, b: null }];
  expect(tableOf({ data })).toMatchObject({ columns: [{ name: 'a' }, { name: 'b' }], count: 1, variable: null });
  const table = tableOf({
    schema: { fields: [{ name: 'b', type: 'string' }] },
    data,
    aside: { rows: 7, variable: 'x' },
  });
  expect(table).toEqual({ columns: [{ name: 'b', type: 'string' }], rows: data, count: 7, variable: 'x' });
  for (const none of [null, 'x', [], {}, { data: 1 }]) expect(tableOf(none)).toBeNull();
});

test('values and ranges are said', () => {
  expect([null, 'a', 1.5, { a: 1 }].map(cellText)).toEqual(['NULL', 'a', '1.5', '{"a":1}']);
  expect(rangeWords(0, 1, 1, 1, null)).toBe('1 row');
  expect(rangeWords(50, 50, 2000, 2000, 'tides')).toBe('51–100 of 2,000 rows, also in tides');
  expect(rangeWords(0, 50, 900, 20_000, 'tides')).toBe('1–50 of 20,000 rows; showing the first 900, all are in tides');
});
