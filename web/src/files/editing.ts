// A name being typed in the tree: for something new, or for something that has one.
import { create } from 'zustand';
import { doAction } from '../app/actionFlow';
import { openFile } from '../frames/store';
import { freeName, freeNameOf, join } from './names';
import { folderOf, isHiddenRow, nameOf, type Row } from './rows';
import { expandFolder, showInTree, useFiles } from './store';

/** What is being named, and where its field is. */
export type Editing =
  | { kind: 'rename' | 'move'; path: string }
  | { kind: 'file'; folder: string; name?: string; template?: string }
  | { kind: 'folder'; folder: string };

/** The name being typed, for components. */
export const useEditing = create<{ editing: Editing | null }>(() => ({ editing: null }));

/** Starts naming a new file or folder: in a folder, else in or beside the current row. */
export function startNew(kind: 'file' | 'folder', folder = currentFolder()): void {
  startNaming({ kind, folder });
}

/** Starts naming a new notebook, with a name that nothing there has. */
export function startNewNotebook(): void {
  startNewOf('.ipynb');
}

/** Starts naming a new file of some ending, with a name that nothing there has. */
export function startNewOf(ending: string): void {
  const folder = currentFolder();
  const taken =
    useFiles
      .getState()
      .folders.get(folder)
      ?.entries?.map(({ path }) => nameOf(path)) ?? [];
  startNaming({ kind: 'file', folder, name: freeName('untitled', ending, taken) });
}

/** Starts naming a new note that begins with the text of a template. */
export function startNewNote(template: string): void {
  startNaming({ kind: 'file', folder: currentFolder(), name: 'Untitled.md', template });
}

function startNaming(editing: Editing & { folder: string }): void {
  if (editing.folder) expandFolder(editing.folder, true);
  useEditing.setState({ editing });
}

/** Starts renaming. */
export function startRename(path: string): void {
  useEditing.setState({ editing: { kind: 'rename', path } });
}

/** Starts naming another place for a file or folder. */
export function startMove(path: string): void {
  useEditing.setState({ editing: { kind: 'move', path } });
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
  if (editing.kind === 'rename') await move(editing.path, join(folderOf(editing.path), wanted), 'Renamed');
  else if (editing.kind === 'move') await move(editing.path, wanted.replace(/^\/+/, ''), 'Moved');
  else if ('folder' in editing) {
    const template = editing.kind === 'file' ? editing.template : undefined;
    await createNew(editing.kind, join(editing.folder, wanted), template);
  }
}

/** Asks to delete a file or folder. */
export async function remove(row: Pick<Row, 'path'>): Promise<void> {
  await doAction({ action_type: 'file.delete', args: { path: row.path } }, { done: `Deleted ${row.path}` });
}

/** Moves a file or folder into a folder. */
export async function moveTo(path: string, folder: string): Promise<void> {
  await move(path, join(folder, nameOf(path)), 'Moved');
}

/** Copies a file beside itself. */
export async function duplicate(path: string): Promise<void> {
  const folder = folderOf(path);
  const taken =
    useFiles
      .getState()
      .folders.get(folder)
      ?.entries?.map((entry) => nameOf(entry.path)) ?? [];
  const to = join(folder, freeNameOf(nameOf(path), [...taken, nameOf(path)]));
  const done = await doAction({ action_type: 'file.copy', args: { from: path, to } }, { done: `Copied to ${to}` });
  if (done) showInTree(to);
}

async function move(from: string, to: string, word: 'Moved' | 'Renamed'): Promise<void> {
  if (to === from) return;
  const done = await doAction({ action_type: 'file.move', args: { from, to } }, { done: `${word} to ${to}` });
  if (done) showInTree(to);
}

async function createNew(kind: 'file' | 'folder', path: string, template?: string): Promise<void> {
  const text = template === undefined ? undefined : await fromTemplate(template, path);
  const file = { path, ...(isNotebook(path) && { text: NO_CELLS }), ...(text !== undefined && { text }) };
  const args = kind === 'folder' ? { path, folder: true } : file;
  const done = await doAction({ action_type: 'file.create', args }, { done: `Created ${path}` });
  if (!done) return;
  showInTree(path);
  if (kind === 'file') openFile(path);
}

async function fromTemplate(template: string, path: string): Promise<string> {
  const { filled } = await import('../notes/templates');
  return filled(template, nameOf(path).replace(/\.[^.]*$/, ''), new Date());
}

const isNotebook = (path: string) => path.toLowerCase().endsWith('.ipynb');

/** A notebook as every program can open it: a file without anything in it is none. */
const NO_CELLS = `${JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;

/** The folder that new things go to: the current row, or the folder it is in. */
export function currentFolder(): string {
  const { current, folders, expanded } = useFiles.getState();
  if (!current || isHiddenRow(current)) return '';
  const isFolder = folders.get(folderOf(current))?.entries?.some((entry) => entry.path === current && entry.folder);
  return isFolder && expanded.has(current) ? current : folderOf(current);
}
