import { expect, test } from 'vitest';
import { editRecord, hunk } from '../testing/records';
import type { ActionRecord } from '../wire/gen/types';
import { newer, wasRenewed } from './newer';

const AWAITING = editRecord([hunk(0, 1, ['a'], ['b']), hunk(1, 9, ['c'], ['d'])]);
const DECIDED: ActionRecord = {
  ...AWAITING,
  parts: [{ part: 0, decision: 'approve', action: 'act_2', by: 'ada', at: 0 }],
};
const DONE: ActionRecord = { ...DECIDED, state: 'done' };

test('a late record never reverts state or decision', () => {
  expect(newer(AWAITING, DONE)).toBe(false);
  expect(newer(AWAITING, DECIDED)).toBe(false);
  expect(newer(DECIDED, AWAITING)).toBe(true);
  expect(newer(DONE, DECIDED)).toBe(true);
});

test('undone and done again follow each other', () => {
  const undone: ActionRecord = { ...DONE, state: 'undone' };
  expect([newer(undone, DONE), newer(DONE, undone)]).toEqual([true, true]);
});

test('a decided part is no new preview', () => {
  const renewed: ActionRecord = { ...AWAITING, approval_hash: 'b'.repeat(64) };
  expect(wasRenewed(renewed, AWAITING)).toBe(true);
  expect(wasRenewed({ ...DECIDED, approval_hash: 'b'.repeat(64) }, AWAITING)).toBe(false);
  expect(wasRenewed({ ...renewed, state: 'done' }, AWAITING)).toBe(false);
});
