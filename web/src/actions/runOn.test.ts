import { expect, test } from 'vitest';
import { editRecord } from '../testing/records';
import type { ActionRecord } from '../wire/gen/types';
import { runOnOf } from './runOn';

const RECORD = editRecord([]);
const ASKED: ActionRecord = {
  ...RECORD,
  state: 'awaiting_confirmation',
  origin: { kind: 'turn', user: 'ada', thread: 'th_1', turn: 'tu_1', step: 1, call: 'c' },
  verdict: { ...RECORD.verdict, rule: 'label/own-outputs' },
  assessment: { ...RECORD.assessment, targets: [{ kind: 'file', id: 'a.ipynb' }] },
};

test('only a notebook’s own outputs allow continued runs', () => {
  expect(runOnOf(ASKED)).toEqual({ thread: 'th_1', notebook: 'a.ipynb' });
  expect(runOnOf({ ...ASKED, verdict: { ...ASKED.verdict, rule: 'label/external' } })).toBeNull();
  expect(runOnOf({ ...ASKED, state: 'done' })).toBeNull();
  expect(runOnOf({ ...ASKED, origin: { kind: 'user', user: 'ada' } })).toBeNull();
});
