// The ways in which a file can be shown, from the table of kinds, and the one that a person chose for it. The choice is kept
// in this browser, by file.
import { create } from 'zustand';
import type { FileEditor } from '../wire/gen/types';

/** One way to show a file. */
export type Way = 'source' | 'table' | 'tree' | 'page' | 'audio' | 'video' | 'bytes';

/** The ways of each editor, the usual one first. What is not here has one of its own. */
const WAYS: Partial<Record<FileEditor, readonly Way[]>> = {
  table: ['table', 'source'],
  rows: ['table', 'bytes'],
  tree: ['source', 'tree'],
  page: ['source', 'page'],
  audio: ['audio', 'bytes'],
  video: ['video', 'bytes'],
  bytes: ['bytes'],
};

/** Files that are rows of JSON are read, not written. */
const LINES = /\.(?:jsonl|ndjson)$/i;

/** Returns the ways to show a file, the usual one first; none for an editor that has a view of its own. */
export function waysOf(editor: FileEditor | undefined, path: string): readonly Way[] {
  const ways = WAYS[editor ?? 'text'] ?? [];
  return editor === 'tree' && LINES.test(path) ? ways.toReversed() : ways;
}

const KEY = 'aside.ways';
/** Files whose choice is kept; the oldest make room. */
const MOST = 300;
const ALL: ReadonlySet<unknown> = new Set<Way>(['source', 'table', 'tree', 'page', 'audio', 'video', 'bytes']);

/** The choices by path, the latest last. */
export const useWays = create<{ ways: Readonly<Record<string, Way>> }>(() => ({ ways: kept() }));

/** Shows a file in a way, also the next time. */
export function chooseWay(path: string, way: Way): void {
  const { [path]: _, ...others } = useWays.getState().ways;
  const ways = Object.fromEntries([...Object.entries(others), [path, way] as const].slice(-MOST));
  useWays.setState({ ways });
  localStorage.setItem(KEY, JSON.stringify(ways));
}

function kept(): Record<string, Way> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return Object.fromEntries(Object.entries(found ?? {}).filter((pair): pair is [string, Way] => ALL.has(pair[1])));
  } catch {
    return {};
  }
}
