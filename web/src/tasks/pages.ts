/** The tasks that are over, in pages, the newest first. Pure. */
import type { Task, TaskId } from '../wire/gen/types';

/** Tasks of one request. */
export const PAGE = 50;

/** What was read so far. */
export interface TaskPages {
  readonly tasks: ReadonlyMap<TaskId, Task>;
  /** The task that the next page comes before; null before the first page. */
  readonly before: TaskId | null;
  /** There is nothing older. */
  readonly end: boolean;
}

/** Nothing was read yet. */
export const NO_PAGES: TaskPages = { tasks: new Map(), before: null, end: false };

/** What is known after another page. */
export function joined(pages: TaskPages, page: readonly Task[]): TaskPages {
  return { tasks: taken(pages.tasks, page), before: page.at(-1)?.id ?? pages.before, end: page.length < PAGE };
}

/** What is known after the first page was read again: what it tells anew counts, and nothing that is shown goes. */
export function freshened(pages: TaskPages, page: readonly Task[]): TaskPages {
  if (pages.before === null) return joined(pages, page);
  // A whole page of new ones may not reach the known ones; then what lies between would be missing.
  const meet = page.length < PAGE || page.some((task) => pages.tasks.has(task.id));
  return meet ? { ...pages, tasks: taken(pages.tasks, page) } : joined(NO_PAGES, page);
}

/** What is known after one of the tasks was told anew; one that is not known is left to its page. */
export function told(pages: TaskPages, task: Task): TaskPages {
  return pages.tasks.has(task.id) ? { ...pages, tasks: taken(pages.tasks, [task]) } : pages;
}

function taken(tasks: TaskPages['tasks'], page: readonly Task[]): ReadonlyMap<TaskId, Task> {
  const all = new Map(tasks);
  for (const task of page) all.set(task.id, task);
  return all;
}
