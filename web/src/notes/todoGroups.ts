// Todos under the headings of their page. Pure.
import type { TodoItem } from '../wire/gen/types';

/** How todos are put together. */
export type TodoOrder = 'day' | 'note' | 'tag';

/** Todos under a heading. */
export interface TodoGroup {
  readonly key: string;
  readonly title: string;
  /** Their day has passed. */
  readonly isLate: boolean;
  readonly todos: readonly TodoItem[];
}

/** Puts todos together; `today` is a day such as `2026-11-27`. Groups without todos are left out. */
export function todoGroups(todos: readonly TodoItem[], order: TodoOrder, today: string): TodoGroup[] {
  if (order === 'day') return days(todos, today);
  const groups = new Map<string, { title: string; todos: TodoItem[] }>();
  const put = (key: string, title: string, todo: TodoItem) => {
    const group = groups.get(key) ?? { title, todos: [] };
    group.todos.push(todo);
    groups.set(key, group);
  };
  for (const todo of todos) {
    if (order === 'note') put(todo.path, todo.note, todo);
    else if (todo.tags.length === 0) put('', 'No tag', todo);
    // Two spellings of a tag are one.
    else for (const tag of todo.tags) put(tag.toLowerCase(), `#${tag}`, todo);
  }
  const sorted = [...groups].toSorted(
    ([one], [other]) => Number(one === '') - Number(other === '') || one.localeCompare(other),
  );
  return sorted.map(([key, { title, todos }]) => ({ key, title, isLate: false, todos }));
}

function days(todos: readonly TodoItem[], today: string): TodoGroup[] {
  const groups = { late: [] as TodoItem[], today: [] as TodoItem[], later: [] as TodoItem[], open: [] as TodoItem[] };
  for (const todo of todos) {
    const due = todo.due?.slice(0, 10);
    const planned = todo.scheduled?.slice(0, 10);
    if (due !== undefined && due < today) groups.late.push(todo);
    else if (due === today || (planned !== undefined && planned <= today)) groups.today.push(todo);
    else if (due !== undefined || planned !== undefined) groups.later.push(todo);
    else groups.open.push(todo);
  }
  const dayOf = (todo: TodoItem) => todo.due ?? todo.scheduled ?? '';
  const byDay = (some: readonly TodoItem[]) => some.toSorted((one, other) => dayOf(one).localeCompare(dayOf(other)));
  const all: TodoGroup[] = [
    { key: 'late', title: 'Overdue', isLate: true, todos: byDay(groups.late) },
    { key: 'today', title: 'Today', isLate: false, todos: byDay(groups.today) },
    { key: 'later', title: 'Upcoming', isLate: false, todos: byDay(groups.later) },
    { key: 'open', title: 'No date', isLate: false, todos: groups.open },
  ];
  return all.filter((group) => group.todos.length > 0);
}
