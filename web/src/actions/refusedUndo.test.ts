import { expect, test } from 'vitest';
import { changedSince } from './refusedUndo';

test('names the lines that were changed since, and knows other failures from it', () => {
  const data = { applied: [], failed: [{ reason: 'stale', candidates: [{ line: 3, text: 'x = 3' }, { line: 'no' }] }] };
  expect(changedSince({ data })).toEqual([{ line: 3, text: 'x = 3' }]);
  expect(changedSince({ data: { failed: [{ reason: 'no_match' }] } })).toEqual([]);
  expect(changedSince({ data: null })).toBe(null);
  expect(changedSince({ data: { failed: [] } })).toBe(null);
});
