// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { Task } from '../wire/gen/types';
import { after } from './known';

const task = (id: string, turns: string[]) => ({ id, goal: `Goal of ${id}`, turns }) as Task;

test('a turn leads to its first task', () => {
  const nothing = { goals: new Map(), ofTurns: new Map() };
  const known = after(after(nothing, [task('one', ['a']), task('two', ['b'])]), [task('one', ['a', 'c'])]);
  expect(Object.fromEntries(known.ofTurns)).toEqual({ a: 'one', b: 'two', c: 'one' });
  expect(known.goals.get('two')).toBe('Goal of two');
});
