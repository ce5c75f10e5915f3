/** The tasks that this window shows are read again when they change. */
import { connection } from '../wire/connection';
import { gathered } from '../wire/gather';
import type { Task, TaskId } from '../wire/gen/types';
import { invalidate, invalidateWhere } from '../wire/resource';

let started = false;

/** Starts once per window: what is shown is read again when a task changes. */
export function startTasks(): void {
  if (started) return;
  started = true;
  let heard: Task[] = [];
  const soon = gathered(() => {
    // An undo of a task changes that one too.
    if (heard.some(({ source }) => source.kind === 'undo')) allChanged();
    else changed(new Set(heard.map(({ id }) => id)));
    heard = [];
  });
  connection.on('task_changed', ({ task }) => {
    heard.push(task);
    soon();
  });
  connection.on('hello', allChanged);
}

/** Where a task is read. */
export function taskPath(id: TaskId): string {
  return `tasks/${encodeURIComponent(id)}`;
}

/** Where the requests are read that it is run again with. */
export function againPath(id: TaskId): string {
  return `${taskPath(id)}/run_again`;
}

function allChanged(): void {
  invalidateWhere((path) => path === 'tasks' || /^tasks[/?]/.test(path));
}

/** Reads some tasks again, and the lists that they may be in. */
export function changed(ids: ReadonlySet<TaskId>): void {
  for (const id of ids) for (const path of [taskPath(id), againPath(id)]) invalidate(path);
  invalidateWhere((path) => path === 'tasks' || path.startsWith('tasks?'));
}
