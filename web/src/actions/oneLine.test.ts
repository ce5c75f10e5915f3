import { expect, test } from 'vitest';
import { editRecord, hunk } from '../testing/records';
import { oneLineOf } from './oneLine';

const wordsOf = (old: string[], now: string[]) => {
  const change = oneLineOf(editRecord([hunk(0, 1, old, now)]));
  return change && [change.oldWords, change.nowWords];
};

test('one short line shows its changed words', () => {
  expect(wordsOf(['The tide is low.'], ['The tide is high.'])).toEqual(['low', 'high']);
  expect(wordsOf([], ['new line'])).toEqual(['', 'new line']);
  expect(wordsOf(['old line'], [])).toEqual(['old line', '']);
});

test('other changes are shown whole', () => {
  expect(wordsOf(['a', 'b'], ['c'])).toBeNull();
  expect(wordsOf(['  a'], ['a'])).toBeNull();
  expect(wordsOf(['a'], ['b'.repeat(200)])).toBeNull();
  expect(oneLineOf(editRecord([hunk(0, 1, ['a'], ['b']), hunk(1, 9, ['c'], ['d'])]))).toBeNull();
});

test('risks and warnings are shown before a decision', () => {
  const record = editRecord([hunk(0, 1, ['a'], ['b'])]);
  expect(oneLineOf(record)).not.toBeNull();
  expect(oneLineOf({ ...record, provenance: { ...record.provenance, label: 'external' } })).toBeNull();
  expect(oneLineOf({ ...record, envelope: { ...record.envelope, risk_level: ['destructive'] } })).toBeNull();
});
