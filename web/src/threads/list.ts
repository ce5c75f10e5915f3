/** The list of threads: what needs a person first, then those of the file, what runs, and the rest, newest first. Pure. */
import type { Thread, ThreadId, WorkspacePath } from '../wire/gen/types';

/** The groups, in their order. */
export const GROUPS = ['Waiting for you', 'For this file', 'Running', 'Recent', 'Archived'] as const;

/** One group's heading. */
export type Group = (typeof GROUPS)[number];

/** The threads of one group. */
export interface ThreadGroup {
  readonly group: Group;
  readonly threads: readonly Thread[];
}

/** What is known of the threads beside their records. */
export interface Standing {
  readonly waiting: ReadonlySet<ThreadId>;
  readonly running: ReadonlySet<ThreadId>;
  /** The file that is looked at. */
  readonly path: WorkspacePath | null;
}

/** Groups the threads whose title or document has all words of the query; archived ones only if asked for. Those of AI cells are read in their notebooks. */
export function groupThreads(
  threads: Iterable<Thread>,
  { waiting, running, path }: Standing,
  query: string,
  archived: boolean,
): ThreadGroup[] {
  const groupOf = (thread: Thread): Group => {
    if (thread.archived) return 'Archived';
    if (waiting.has(thread.id)) return 'Waiting for you';
    if (isBeside(thread, path)) return 'For this file';
    return running.has(thread.id) ? 'Running' : 'Recent';
  };
  const isMeant = (thread: Thread) => thread.cell === undefined && (archived || !thread.archived);
  const found = [...threads].filter((thread) => isMeant(thread) && fits(thread, query));
  found.sort((one, two) => two.updated - one.updated);
  return GROUPS.map((group) => ({ group, threads: found.filter((thread) => groupOf(thread) === group) })).filter(
    ({ threads }) => threads.length > 0,
  );
}

/** The conversation beside a file that went on last; null if there is none that is not put away. */
export function newestBeside(threads: Iterable<Thread>, path: WorkspacePath): Thread | null {
  const beside = [...threads].filter((thread) => !thread.archived && isBeside(thread, path));
  return beside.reduce<Thread | null>((one, other) => (one && one.updated >= other.updated ? one : other), null);
}

/** Those of AI cells are the notebook's own. */
function isBeside({ document, cell }: Thread, path: WorkspacePath | null): boolean {
  return path !== null && document === path && !cell;
}

function fits(thread: Thread, query: string): boolean {
  const text = `${thread.title} ${thread.document ?? ''}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** "now", "5 min", "3 h", "2 d", then the date. */
export function ago(then: number, now: number): string {
  const minutes = Math.floor((now - then) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  if (minutes < 7 * 24 * 60) return `${Math.floor(minutes / (24 * 60))} d`;
  return new Date(then).toLocaleDateString();
}

/** A title as the name of a file, on any system. */
export function fileName(title: string): string {
  const words = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return words.slice(0, 60) || 'thread';
}
