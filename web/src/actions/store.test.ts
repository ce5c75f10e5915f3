import { expect, test, vi } from 'vitest';
import { editRecord } from '../testing/records';
import type { Submitted } from '../wire/gen/types';
import { accept, learn, stop, useActions } from './store';

const { decideAction, stopAction } = vi.hoisted(() => ({ decideAction: vi.fn(), stopAction: vi.fn() }));
vi.mock('../app/base', () => ({ basePath: '/' }));
vi.mock('../wire/actions', () => ({ decideAction, stopAction, undoAction: vi.fn() }));

test('a running action can stop before its answer', async () => {
  const record = editRecord([]);
  const id = record.envelope.id;
  learn(record);
  let answer: (submitted: Submitted) => void = () => {};
  decideAction.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const stopped = { id, state: 'done', envelope: record.envelope, record: { ...record, state: 'done' } };
  stopAction.mockResolvedValue(stopped);
  const accepted = accept(id);
  expect(await stop(id)).toBe(true);
  expect(useActions.getState().deciding.has(id)).toBe(true);
  answer(stopped as unknown as Submitted);
  expect(await accepted).toBe(true);
});
