import { expect, test } from 'vitest';
import type { Task } from '../wire/gen/types';
import { groupTasks } from './list';

const task = (id: string, rest: Partial<Task>) =>
  ({ id, state: 'completed', paused: null, updated: 0, ...rest }) as unknown as Task;

const ids = (tasks: Task[]) => groupTasks(tasks).map(({ group, tasks }) => [group, ...tasks.map((each) => each.id)]);

test('waiting tasks first, then running, newest first', () => {
  const tasks = [
    task('tsk_1', { updated: 9 }),
    task('tsk_2', { updated: 2 }),
    task('tsk_3', { state: 'awaiting_confirmation' }),
    task('tsk_4', { state: 'running', paused: 'interrupted', updated: 5 }),
    task('tsk_5', { state: 'running' }),
  ];
  expect(ids(tasks)).toEqual([
    ['Waiting for you', 'tsk_4', 'tsk_3'],
    ['In progress', 'tsk_5'],
    ['Finished', 'tsk_2', 'tsk_1'],
  ]);
});

test('a finished task is listed once', () => {
  expect(ids([task('tsk_1', { state: 'running', updated: 1 }), task('tsk_1', { updated: 2 })])).toEqual([
    ['Finished', 'tsk_1'],
  ]);
});
