import { expect, test } from 'vitest';
import type { AuditEntry } from '../wire/gen/types';
import { filterRows, rowsOf } from './rows';

function entry(seq: number, body: object): AuditEntry {
  const common = {
    at: seq,
    action_type: 'doc.edit',
    origin: { kind: 'turn', user: 'ada' },
    risks: ['write'],
    rule: 'thread/review-each',
    targets: [{ kind: 'file', id: 'model.py' }],
  };
  return { seq, hash: '0'.repeat(64), body: { ...common, ...body } };
}

const ROWS = rowsOf([
  entry(1, { action: 'act_1', kind: 'submitted' }),
  entry(2, { action: 'act_2', kind: 'outcome', action_type: 'file.list', risks: ['read'], outcome: { kind: 'done' } }),
  entry(3, { action: 'act_1', kind: 'decision', answer: { by: 'ada' } }),
  entry(4, { action: 'act_1', kind: 'outcome', outcome: { kind: 'done' } }),
  { seq: 5, hash: '', body: 'not ours' },
]);

test('one row an action, newest first, with who answered and how it ended', () => {
  expect(ROWS.map((row) => row.action)).toEqual(['act_2', 'act_1']);
  expect(ROWS[1]).toMatchObject({ at: 1, answeredBy: 'ada', state: 'done', targets: ['model.py'], model: true });
});

test('reads are shown only when wanted, and words narrow the list', () => {
  expect(filterRows(ROWS, '', false).map((row) => row.action)).toEqual(['act_1']);
  expect(filterRows(ROWS, 'LIST', true).map((row) => row.action)).toEqual(['act_2']);
  expect(filterRows(ROWS, 'model.py ada nothing', true)).toEqual([]);
});
