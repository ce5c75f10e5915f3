import { expect, test } from 'vitest';
import { editRecord, hunk } from '../testing/records';
import { bind, classesOf, stillAsShown } from './classes';

const edit = (id: string, rest = {}) => editRecord([hunk(0, 1, ['a'], ['b'])], rest, id);

test('calls group by action, rule and risks', () => {
  const other = edit('act_3', { verdict: { ruling: 'confirm', rule: 'user/ask', reason: '' } });
  const classes = classesOf([edit('act_1'), other, edit('act_2')]);
  expect(classes.map((each) => each.records.map((record) => record.envelope.id))).toEqual([['act_1', 'act_2']]);
  expect(classes[0]).toMatchObject({ actionType: 'doc.edit', rule: 'thread/review-each' });
});

test('a graver risk is another class', () => {
  const grave = edit('act_2');
  grave.envelope.risk_level = ['write', 'destructive'];
  expect(classesOf([edit('act_1'), grave])).toEqual([]);
});

test('a new preview or answer ends the binding', () => {
  const record = edit('act_1');
  const [bound] = bind([record]);
  if (!bound) throw new Error('it waits');
  expect(stillAsShown(bound, record)).toBe(true);
  expect(stillAsShown(bound, { ...record, approval_hash: 'b'.repeat(64) })).toBe(false);
  expect(stillAsShown(bound, { ...record, state: 'refused' })).toBe(false);
  expect(stillAsShown(bound, undefined)).toBe(false);
});
