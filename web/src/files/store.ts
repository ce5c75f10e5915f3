// What is known of the workspace's folders, and which of them are open in the tree.
import { create } from 'zustand';
import { connection } from '../wire/connection';
import type { Listing } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { type Folder, folderOf, hiddenIn, isHidden, isHiddenRow } from './rows';

interface FilesState {
  folders: ReadonlyMap<string, Folder>;
  expanded: ReadonlySet<string>;
  /** The row that has the keyboard. */
  current: string | null;
}

const KEY = 'aside.expanded';

/** The files, for components. */
export const useFiles = create<FilesState>(() => ({ folders: new Map(), expanded: kept(), current: null }));

connection.on('files_changed', ({ folders }) => {
  for (const folder of folders) if (useFiles.getState().folders.has(folder)) void readFolder(folder);
});
connection.on('hello', () => {
  // What changed while the connection was gone was not heard.
  for (const folder of useFiles.getState().folders.keys()) void readFolder(folder);
});

/** Reads the top and the folders that were open. */
export function readOpenFolders(): void {
  const { folders, expanded } = useFiles.getState();
  for (const folder of ['', ...expanded]) if (!folders.has(folder) && !isHiddenRow(folder)) void readFolder(folder);
}

/** Opens or closes a folder. */
export function expandFolder(path: string, open: boolean): void {
  const expanded = new Set(useFiles.getState().expanded);
  if (open) expanded.add(path);
  else expanded.delete(path);
  useFiles.setState({ expanded });
  sessionStorage.setItem(KEY, JSON.stringify([...expanded]));
  if (open && !isHiddenRow(path) && !useFiles.getState().folders.get(path)?.entries) void readFolder(path);
}

/** Opens all folders around a path and puts the keyboard on it. */
export function showInTree(path: string): void {
  for (let folder = folderOf(path); folder; folder = folderOf(folder)) expandFolder(folder, true);
  for (let inner = path; inner; inner = folderOf(inner))
    if (isInHidden(inner)) expandFolder(hiddenIn(folderOf(inner)), true);
  useFiles.setState({ current: path });
}

/** Closes all folders. */
export function collapseAll(): void {
  useFiles.setState({ expanded: new Set(), current: null });
  sessionStorage.removeItem(KEY);
}

function isInHidden(path: string): boolean {
  const entry = useFiles
    .getState()
    .folders.get(folderOf(path))
    ?.entries?.find((entry) => entry.path === path);
  return entry !== undefined && isHidden(entry, false);
}

/** Reads a folder again. */
export async function readFolder(path: string): Promise<void> {
  try {
    const { entries } = await request<Listing>('GET', `files?folder=${encodeURIComponent(path)}`);
    know(path, { entries, failure: null });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === 'not_found') forget(path);
    else know(path, { entries: useFiles.getState().folders.get(path)?.entries ?? null, failure });
  }
}

function know(path: string, folder: Folder): void {
  useFiles.setState(({ folders }) => ({ folders: new Map(folders).set(path, folder) }));
}

function forget(path: string): void {
  const within = (other: string) => other === path || other.startsWith(`${path}/`);
  useFiles.setState(({ folders, expanded }) => ({
    folders: new Map([...folders].filter(([other]) => !within(other))),
    expanded: new Set([...expanded].filter((other) => !within(other))),
  }));
}

function kept(): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return new Set(Array.isArray(value) ? value.filter((path) => typeof path === 'string') : []);
  } catch {
    return new Set();
  }
}
