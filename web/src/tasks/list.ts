/** The list of tasks: what needs a person first, then what runs, then the rest, newest first. Pure. */
import type { Task } from '../wire/gen/types';
import { isOver, sourceWords, stateOf } from './words';

/** The groups, in their order. */
const GROUPS = ['Needs you', 'Under way', 'Over'] as const;

/** One group's heading. */
export type Group = (typeof GROUPS)[number];

/** Groups the tasks in which all words of the query occur. */
export function groupTasks(tasks: readonly Task[], query: string): { group: Group; tasks: Task[] }[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = tasks.filter((task) => words.every((word) => textOf(task).includes(word)));
  found.sort((one, two) => two.updated - one.updated);
  return GROUPS.map((group) => ({ group, tasks: found.filter((task) => groupOf(task) === group) })).filter(
    (each) => each.tasks.length > 0,
  );
}

function groupOf(task: Task): Group {
  if (isOver(task)) return 'Over';
  return task.state === 'awaiting_confirmation' || task.paused === 'interrupted' ? 'Needs you' : 'Under way';
}

function textOf(task: Task): string {
  const objects = task.objects.map((object) => object.id);
  const words = [task.goal, task.by, stateOf(task).word, sourceWords(task.source), task.summary ?? ''];
  return [...words, ...objects, ...task.action_types].join(' ').toLowerCase();
}
