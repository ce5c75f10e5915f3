/** The table of changes of a run, by file. Pure. */
import type { Completeness, ScriptChange } from '../wire/gen/types';

/** The changes of one file, in order. */
export interface FileChanges {
  /** The file; null for calls that are about no file. */
  readonly path: string | null;
  readonly changes: readonly ScriptChange[];
  readonly completeness: Completeness;
}

/** Groups changes by file, the files in the order of their first change. */
export function byFile(changes: readonly ScriptChange[]): FileChanges[] {
  const groups = new Map<string | null, ScriptChange[]>();
  for (const change of changes) {
    const path = pathOf(change);
    const group = groups.get(path);
    if (group) group.push(change);
    else groups.set(path, [change]);
  }
  return [...groups].map(([path, group]) => ({ path, changes: group, completeness: leastOf(group) }));
}

/** The file that a call is about: the server's word, else the first argument that names one. */
export function pathOf({ path, args }: ScriptChange): string | null {
  if (path !== undefined) return path;
  const given = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
  const named = ['path', 'from', 'to', 'output', 'within', 'folder'].map((name) => given[name]);
  return named.find((value) => typeof value === 'string') ?? null;
}

const ORDER: readonly Completeness[] = ['full', 'partial', 'opaque'];

/** How far several changes are shown: as far as the least of them. */
export function leastOf(changes: readonly Pick<ScriptChange, 'completeness'>[]): Completeness {
  const least = Math.max(0, ...changes.map(({ completeness }) => ORDER.indexOf(completeness)));
  return ORDER[least] ?? 'opaque';
}

/** "12 changes in 3 files". */
export function countWords(changes: readonly ScriptChange[]): string {
  const files = byFile(changes).filter(({ path }) => path !== null).length;
  const some = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  return files === 0 ? some : `${some} in ${files === 1 ? '1 file' : `${files} files`}`;
}

/** The first few of many names, and how many more there are. */
export function named(names: readonly string[], all = names.length, most = 5): string {
  const shown = names.slice(0, most);
  const rest = all - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
