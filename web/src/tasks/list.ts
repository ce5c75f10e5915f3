/** The list of tasks: what needs a person first, then what runs, then the rest, newest first. Pure. */
import type { Task, TaskId } from '../wire/gen/types';
import { isOver } from './words';

/** The groups, in their order. */
const GROUPS = ['Waiting for you', 'In progress', 'Finished'] as const;

/** One group's heading. */
export type Group = (typeof GROUPS)[number];

/** Groups tasks; one that is there twice, because it came to its end between two answers, counts as it was last. */
export function groupTasks(tasks: readonly Task[]): { group: Group; tasks: Task[] }[] {
  const known = new Map<TaskId, Task>();
  for (const task of tasks) if ((known.get(task.id)?.updated ?? 0) <= task.updated) known.set(task.id, task);
  const all = [...known.values()].sort(latestFirst);
  return GROUPS.map((group) => ({ group, tasks: all.filter((task) => groupOf(task) === group) })).filter(
    (each) => each.tasks.length > 0,
  );
}

/** What is under way by what happened last; the rest as its pages come, in the order in which it was made. */
function latestFirst(one: Task, two: Task): number {
  if (!isOver(one) && !isOver(two)) return two.updated - one.updated;
  return one.id < two.id ? 1 : -1;
}

function groupOf(task: Task): Group {
  if (isOver(task)) return 'Finished';
  return task.state === 'awaiting_confirmation' || task.paused === 'interrupted' ? 'Waiting for you' : 'In progress';
}
