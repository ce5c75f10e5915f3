import { expect, test } from 'vitest';
import { changedSince, refusedFiles } from './refusedUndo';

test('a refused undo names the changed lines', () => {
  const data = { applied: [], failed: [{ reason: 'stale', candidates: [{ line: 3, text: 'x = 3' }, { line: 'no' }] }] };
  expect(changedSince({ data })).toEqual([{ line: 3, text: 'x = 3' }]);
  expect(changedSince({ data: { failed: [{ reason: 'no_match' }] } })).toEqual([]);
  expect(changedSince({ data: null })).toBe(null);
  expect(changedSince({ data: { failed: [] } })).toBe(null);
});

test('a refused undo names the changed files', () => {
  const files = [{ path: 'a.txt', why: 'it was changed since' }, { path: 7 }];
  expect(refusedFiles({ data: { files, snapshot: 'snp_1' } })).toEqual({ files: files.slice(0, 1), snapshot: 'snp_1' });
  for (const data of [null, { files: [], snapshot: 'snp_1' }, { files }]) expect(refusedFiles({ data })).toBe(null);
});
