/**
 * Which tasks the page shows: as its URL says it, and as the server is asked for it. Pure.
 *
 * ```text
 * tasks?q=words&state=failed
 * ```
 */
import type { TaskState } from '../wire/gen/types';
import { PAGE } from './pages';

/** What narrows the list; an empty field narrows nothing. */
export interface TaskSearch {
  /** Words that all occur in a goal, a file, an action or a name. */
  readonly q: string;
  readonly state: TaskState | '';
}

/** The states that can be chosen, as words. */
export const STATES: Readonly<Partial<Record<TaskState, string>>> = {
  awaiting_confirmation: 'waiting for you',
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

const OVER: ReadonlySet<string> = new Set<TaskState>(['completed', 'failed', 'cancelled']);

/** Reads a page's query; what it does not know is left out. */
export function parseSearch(query: string): TaskSearch {
  const parameters = new URLSearchParams(query);
  const state = parameters.get('state') ?? '';
  return { q: parameters.get('q') ?? '', state: state in STATES ? (state as TaskState) : '' };
}

/** The page's query for a search. */
export function formatSearch({ q, state }: TaskSearch): string {
  return new URLSearchParams([...(q ? [['q', q]] : []), ...(state ? [['state', state]] : [])]).toString();
}

/** Where the tasks of a search are read, those under way and those that are over; null where there can be none. */
export function wanted({ q, state }: TaskSearch): { open: string | null; over: string | null } {
  const narrowed = { ...(q.trim() && { text: q.trim() }), ...(state && { state }) };
  const path = (more: Record<string, string>) => `tasks?${new URLSearchParams({ ...more, ...narrowed })}`;
  return {
    open: OVER.has(state) ? null : path({ open: 'true', limit: '1000' }),
    over: state === '' || OVER.has(state) ? path({ open: 'false', limit: String(PAGE) }) : null,
  };
}
