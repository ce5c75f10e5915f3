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
  /** It stands for the folders that are folded away, and is no folder itself. */
  hidden: boolean;
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

/** The name of the row under which a folder's hidden folders are. */
export const HIDDEN = 'Hidden';

/** The path of that row. No file has it: names have no NUL in them. */
export function hiddenIn(folder: string): string {
  return folder ? `${folder}/\0` : '\0';
}

/** Tells whether a path is that of a row for hidden folders. */
export function isHiddenRow(path: string): boolean {
  return path.endsWith('\0');
}

/** Folders that programs make for themselves, by name; those of which git says so are hidden as well. */
const MADE_BY_PROGRAMS = new Set([
  '__pycache__',
  '__pypackages__',
  'node_modules',
  'venv',
  'virtualenv',
  'env',
  'renv',
]);

/** Tells whether a folder is listed under *Hidden*. In an ignored folder everything is ignored, and nothing hidden for that. */
export function isHidden(entry: FileEntry, inIgnored: boolean): boolean {
  const name = nameOf(entry.path);
  return entry.folder && (name.startsWith('.') || MADE_BY_PROGRAMS.has(name) || (entry.ignored && !inIgnored));
}

/** Returns the rows to show, parents before children, hidden folders last. What is in an ignored folder is ignored too. */
export function visibleRows(folders: ReadonlyMap<string, Folder>, expanded: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const visit = (path: string, level: number, ignored: boolean) => {
    const entries = folders.get(path)?.entries ?? [];
    const folded = entries.filter((entry) => isHidden(entry, ignored));
    const listed = folded.length > 0 ? entries.filter((entry) => !folded.includes(entry)) : entries;
    const siblings = listed.length + (folded.length > 0 ? 1 : 0);
    add(listed, level, siblings, ignored);
    if (folded.length === 0) return;
    const row = hiddenRow(path, level, siblings, expanded);
    rows.push(row);
    if (row.expanded) add(folded, level + 1, folded.length, ignored);
  };
  const add = (entries: readonly FileEntry[], level: number, siblings: number, ignored: boolean) => {
    entries.forEach((entry, index) => {
      const row = rowOf(entry, { level, position: index + 1, siblings }, folders, expanded);
      row.ignored ||= ignored;
      rows.push(row);
      if (row.expanded) visit(entry.path, level + 1, row.ignored);
    });
  };
  visit('', 1, false);
  return rows;
}

/** A row's place in the tree. */
type Place = Pick<Row, 'level' | 'position' | 'siblings'>;

function rowOf(
  entry: FileEntry,
  place: Place,
  folders: ReadonlyMap<string, Folder>,
  expanded: ReadonlySet<string>,
): Row {
  const open = entry.folder && expanded.has(entry.path);
  const content = folders.get(entry.path);
  return {
    ...place,
    path: entry.path,
    name: nameOf(entry.path),
    folder: entry.folder,
    expanded: open,
    ignored: entry.ignored,
    link: entry.link,
    hidden: false,
    waiting: open && !content?.entries && !content?.failure,
    failure: open ? (content?.failure ?? null) : null,
  };
}

function hiddenRow(folder: string, level: number, siblings: number, expanded: ReadonlySet<string>): Row {
  const path = hiddenIn(folder);
  return {
    level,
    position: siblings,
    siblings,
    path,
    name: HIDDEN,
    folder: true,
    expanded: expanded.has(path),
    ignored: true,
    link: false,
    hidden: true,
    waiting: false,
    failure: null,
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
