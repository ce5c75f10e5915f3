// The visible rows of the file tree, from what is known of each folder. Pure.
import type { Failure, FileEntry } from '../wire/gen/types';

/** What is known of one folder. */
export interface Folder {
  entries: FileEntry[] | null;
  failure: Failure | null;
}

/** One line of the tree. */
export interface Row {
  path: string;
  name: string;
  folder: boolean;
  /** From 1, for `aria-level`. */
  level: number;
  expanded: boolean;
  ignored: boolean;
  link: boolean;
  /** Place among its siblings, from 1. */
  position: number;
  siblings: number;
  /** Its content is not here yet, or could not be read. */
  waiting: boolean;
  failure: Failure | null;
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder something is in, `""` at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Returns the rows to show, parents before children. What is in an ignored folder is ignored too. */
export function visibleRows(folders: ReadonlyMap<string, Folder>, expanded: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const visit = (path: string, level: number, ignored: boolean) => {
    const entries = folders.get(path)?.entries ?? [];
    entries.forEach((entry, index) => {
      const row = rowOf(entry, level, index + 1, entries.length, folders, expanded);
      row.ignored ||= ignored;
      rows.push(row);
      if (row.expanded) visit(entry.path, level + 1, row.ignored);
    });
  };
  visit('', 1, false);
  return rows;
}

function rowOf(
  entry: FileEntry,
  level: number,
  position: number,
  siblings: number,
  folders: ReadonlyMap<string, Folder>,
  expanded: ReadonlySet<string>,
): Row {
  const open = entry.folder && expanded.has(entry.path);
  const content = folders.get(entry.path);
  return {
    path: entry.path,
    name: nameOf(entry.path),
    folder: entry.folder,
    level,
    expanded: open,
    ignored: entry.ignored,
    link: entry.link,
    position,
    siblings,
    waiting: open && !content?.entries && !content?.failure,
    failure: open ? (content?.failure ?? null) : null,
  };
}

/** What an arrow key does at a row: go to another one, or open or close a folder. */
export type Step = { go: number } | { expand: string } | { collapse: string } | null;

/** Returns what a key does in the tree, as assistive technology expects it. */
export function stepFor(key: string, rows: readonly Row[], at: number): Step {
  const row = rows[at];
  if (!row) return rows.length > 0 ? { go: 0 } : null;
  switch (key) {
    case 'ArrowDown':
      return at + 1 < rows.length ? { go: at + 1 } : null;
    case 'ArrowUp':
      return at > 0 ? { go: at - 1 } : null;
    case 'Home':
      return { go: 0 };
    case 'End':
      return { go: rows.length - 1 };
    case 'PageDown':
      return { go: Math.min(rows.length - 1, at + 20) };
    case 'PageUp':
      return { go: Math.max(0, at - 20) };
    case 'ArrowRight':
      if (!row.folder) return null;
      if (!row.expanded) return { expand: row.path };
      return (rows[at + 1]?.level ?? 0) > row.level ? { go: at + 1 } : null;
    case 'ArrowLeft':
      return row.expanded ? { collapse: row.path } : parentOf(rows, at);
    default:
      return null;
  }
}

/** The next row whose name starts with what was typed, from the present one on. */
export function typeahead(rows: readonly Row[], at: number, typed: string): number {
  const wanted = typed.toLowerCase();
  // A repeated or further letter may stay where it is; a first letter moves on.
  const first = typed.length > 1 ? at : at + 1;
  for (let step = 0; step < rows.length; step++) {
    const index = (first + step + rows.length) % rows.length;
    if (rows[index]?.name.toLowerCase().startsWith(wanted)) return index;
  }
  return -1;
}

function parentOf(rows: readonly Row[], at: number): Step {
  const level = rows[at]?.level ?? 1;
  for (let index = at - 1; index >= 0; index--) if ((rows[index]?.level ?? 0) < level) return { go: index };
  return null;
}
