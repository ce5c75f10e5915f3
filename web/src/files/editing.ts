// A name being typed in the tree: for something new, or for something that has one.
import { create } from 'zustand';
import { doAction } from '../app/actionFlow';
import { openFile } from '../frames/store';
import { folderOf, nameOf, type Row } from './rows';
import { expandFolder, showInTree, useFiles } from './store';

/** What is being named, and where its field is. */
export type Editing =
  | { kind: 'rename'; path: string }
  | { kind: 'file'; folder: string; name?: string }
  | { kind: 'folder'; folder: string };

/** The name being typed, for components. */
export const useEditing = create<{ editing: Editing | null }>(() => ({ editing: null }));

/** Starts naming a new file or folder, in or beside the current row. */
export function startNew(kind: 'file' | 'folder'): void {
  startNaming({ kind, folder: currentFolder() });
}

/** Starts naming a new notebook, with a name that nothing there has. */
export function startNewNotebook(): void {
  const folder = currentFolder();
  const taken =
    useFiles
      .getState()
      .folders.get(folder)
      ?.entries?.map(({ path }) => nameOf(path)) ?? [];
  startNaming({ kind: 'file', folder, name: freeName('untitled', '.ipynb', taken) });
}

/** `untitled.ipynb`, `untitled-2.ipynb` and so on. */
export function freeName(stem: string, ending: string, taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const name = `${stem}${count === 1 ? '' : `-${count}`}${ending}`;
    if (!taken.includes(name)) return name;
  }
}

function startNaming(editing: Exclude<Editing, { kind: 'rename' }>): void {
  if (editing.folder) expandFolder(editing.folder, true);
  useEditing.setState({ editing });
}

/** Starts renaming. */
export function startRename(path: string): void {
  useEditing.setState({ editing: { kind: 'rename', path } });
}

/** Ends naming without doing anything. */
export function stopEditing(): void {
  useEditing.setState({ editing: null });
}

/** Does what was named; `name` may have folders in it. */
export async function finishEditing(editing: Editing, name: string): Promise<void> {
  stopEditing();
  const wanted = name.trim();
  if (!wanted) return;
  if (editing.kind === 'rename') await rename(editing.path, wanted);
  else await createNew(editing.kind, join(editing.folder, wanted));
}

/** Asks to delete a file or folder. */
export async function remove(row: Pick<Row, 'path'>): Promise<void> {
  await doAction({ action_type: 'file.delete', args: { path: row.path } }, { done: `Deleted ${row.path}` });
}

async function rename(from: string, name: string): Promise<void> {
  const to = join(folderOf(from), name);
  if (to === from) return;
  const done = await doAction({ action_type: 'file.move', args: { from, to } }, { done: `Renamed to ${nameOf(to)}` });
  if (done) showInTree(to);
}

async function createNew(kind: 'file' | 'folder', path: string): Promise<void> {
  const args = kind === 'folder' ? { path, folder: true } : { path, ...(isNotebook(path) && { text: NO_CELLS }) };
  const done = await doAction({ action_type: 'file.create', args }, { done: `Created ${path}` });
  if (!done) return;
  showInTree(path);
  if (kind === 'file') openFile(path);
}

const isNotebook = (path: string) => path.toLowerCase().endsWith('.ipynb');

/** A notebook as every program can open it: a file without anything in it is none. */
const NO_CELLS = `${JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;

function currentFolder(): string {
  const { current, folders, expanded } = useFiles.getState();
  if (!current) return '';
  const isFolder = folders.get(folderOf(current))?.entries?.some((entry) => entry.path === current && entry.folder);
  return isFolder && expanded.has(current) ? current : folderOf(current);
}

function join(folder: string, name: string): string {
  return folder ? `${folder}/${name}` : name;
}
