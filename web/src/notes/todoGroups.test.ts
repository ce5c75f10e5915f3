import { expect, it } from 'vitest';
import type { TodoItem } from '../wire/gen/types';
import { todoGroups } from './todoGroups';

const todo = (text: string, more: Partial<TodoItem> = {}): TodoItem => ({
  path: 'a.md',
  note: 'A',
  line: 1,
  state: 'open',
  mark: ' ',
  text,
  tags: [],
  ...more,
});
const shown = (groups: ReturnType<typeof todoGroups>) =>
  groups.map(({ title, todos }) => `${title}: ${todos.map(({ text }) => text).join(' ')}`);

it('days come in order, the earliest due first', () => {
  const todos = [
    todo('none'),
    todo('later', { due: '2026-12-02' }),
    todo('late2', { due: '2026-11-26T09:00' }),
    todo('late1', { due: '2026-11-01' }),
    todo('today', { due: '2026-11-27T14:30' }),
    todo('planned', { scheduled: '2026-11-20', due: '2026-12-24' }),
  ];
  expect(shown(todoGroups(todos, 'day', '2026-11-27'))).toEqual([
    'Overdue: late1 late2',
    'Today: today planned',
    'Upcoming: later',
    'No date: none',
  ]);
});

it('notes and tags have their own todos', () => {
  const todos = [todo('x', { tags: ['Sea', 'b'] }), todo('y', { path: 'b.md', note: 'B', tags: ['sea'] }), todo('z')];
  expect(shown(todoGroups(todos, 'note', '2026-11-27'))).toEqual(['A: x z', 'B: y']);
  expect(shown(todoGroups(todos, 'tag', '2026-11-27'))).toEqual(['#b: x', '#Sea: x y', 'No tag: z']);
});
