// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { Task } from '../wire/gen/types';
import { after } from './known';

const task = (id: string, turns: string[], source: unknown = { kind: 'turn' }) =>
  ({ id, goal: `Goal of ${id}`, turns, source }) as Task;
const nothing = { goals: new Map(), ofTurns: new Map(), ofActions: new Map() };

test('a turn leads to its first task', () => {
  const known = after(after(nothing, [task('one', ['a']), task('two', ['b'])]), [task('one', ['a', 'c'])]);
  expect(Object.fromEntries(known.ofTurns)).toEqual({ a: 'one', b: 'two', c: 'one' });
  expect(known.goals.get('two')).toBe('Goal of two');
});

test('an action leads to the script it started', () => {
  const known = after(nothing, [task('one', [], { kind: 'script', path: null, action: 'act_1' }), task('two', ['b'])]);
  expect(Object.fromEntries(known.ofActions)).toEqual({ act_1: 'one' });
});
