// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { ActionRecord, ActionState } from '../wire/gen/types';
import { moveIn } from './moves';

const record = (state: ActionState, ended: number | null = 10, action_type = 'file.move') =>
  ({ state, ended, envelope: { action_type, args: { from: 'a', to: 'b' } } }) as unknown as ActionRecord;

it('follows a recent move and its undo', () => {
  expect(moveIn(record('done'), undefined, 5)).toEqual({ from: 'a', to: 'b' });
  expect(moveIn(record('done'), record('running'), 50)).toEqual({ from: 'a', to: 'b' });
  expect(moveIn(record('undone'), record('done'), 50)).toEqual({ from: 'b', to: 'a' });
});

it('ignores old, unchanged, failed and other actions', () => {
  expect(moveIn(record('done'), undefined, 50)).toBeNull();
  expect(moveIn(record('done'), record('done'), 5)).toBeNull();
  expect(moveIn(record('awaiting_confirmation', null), undefined, 5)).toBeNull();
  expect(moveIn(record('done', 10, 'file.copy'), undefined, 5)).toBeNull();
});
