// Cells that were copied or cut, to be put in again: here, in another notebook, in another window.
import { create } from 'zustand';
import { announce } from '../ui/Announcer';
import { type CellValue, cellsOf, copyOf, insertCell, newKey } from './cells';
import { rearrange, removeSelected, select, wholeKeys } from './edits';
import { only } from './selection';
import type { NotebookView } from './view';

interface Clipped {
  /** The notebook that they are from. */
  readonly path: string;
  readonly cells: readonly { readonly key: string; readonly value: CellValue }[];
}

/** What would be pasted. */
export const useClipboard = create<Clipped>(() => ({ path: '', cells: [] }));

/** The other windows paste the same. */
const windows = new BroadcastChannel('aside.cells');
windows.onmessage = ({ data }: MessageEvent<Clipped>) => useClipboard.setState(data);

/** Keeps copies of the selected cells for pasting. */
export function copySelected(view: NotebookView): void {
  const { path, observed } = view;
  const cells = wholeKeys(view).map((key) => ({ key, value: copyOf(observed.doc, key) }));
  useClipboard.setState({ path, cells });
  windows.postMessage({ path, cells } satisfies Clipped);
  announce(cells.length === 1 ? 'Cell copied' : `${cells.length} cells copied`);
}

/** Copies the selected cells and takes them away. */
export function cutSelected(view: NotebookView): void {
  copySelected(view);
  removeSelected(view);
}

/** Puts the copied cells above or below the selected ones. */
export function paste(view: NotebookView, where: 'above' | 'below'): void {
  const order = view.observed.keys();
  const selected = wholeKeys(view);
  const before = where === 'below' ? selected.at(-1) : order[order.indexOf(selected[0] ?? '') - 1];
  const after = before ?? (where === 'below' ? (order.at(-1) ?? null) : null);
  const last = rearrange(view, () => pasted(view, after));
  if (last !== after) select(view, only(last));
}

/** One after the other; returns the last. A cell that is nowhere now comes back as itself: what it put out is known by its key. */
function pasted({ path, observed: { doc } }: NotebookView, after: string | null): string | null {
  const { path: from, cells } = useClipboard.getState();
  return cells.reduce<string | null>((last, { key, value }) => {
    const own = from === path && !cellsOf(doc).has(key);
    return insertCell(doc, value, last, own ? key : newKey(doc));
  }, after);
}
