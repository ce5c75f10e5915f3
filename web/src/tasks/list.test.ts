import { expect, test } from 'vitest';
import type { Task } from '../wire/gen/types';
import { groupTasks } from './list';

const task = (id: string, rest: Partial<Task>) =>
  ({
    id,
    goal: 'Rename ht',
    by: 'ada',
    state: 'completed',
    paused: null,
    undone_by: null,
    source: { kind: 'turn' },
    summary: null,
    objects: [],
    action_types: [],
    updated: 0,
    ...rest,
  }) as unknown as Task;

const TASKS = [
  task('old', { updated: 1 }),
  task('new', { updated: 2, objects: [{ kind: 'file', id: 'tides/model.py' }], action_types: ['doc.edit'] }),
  task('waits', { state: 'awaiting_confirmation' }),
  task('cut', { state: 'running', paused: 'interrupted', updated: 5 }),
  task('runs', { state: 'running' }),
];
const ids = (query: string) =>
  groupTasks(TASKS, query).map(({ group, tasks }) => [group, ...tasks.map((each) => each.id)]);

test('what needs a person comes first, then what runs, then the rest, newest first', () => {
  expect(ids('')).toEqual([
    ['Needs you', 'cut', 'waits'],
    ['Under way', 'runs'],
    ['Over', 'new', 'old'],
  ]);
});

test('is found by file, action, person and state, all words together', () => {
  expect(ids('MODEL.py doc.edit ada')).toEqual([['Over', 'new']]);
  expect(ids('running rename')).toEqual([['Under way', 'runs']]);
  expect(ids('nothing like it')).toEqual([]);
});
