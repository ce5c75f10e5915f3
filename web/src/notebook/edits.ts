// What a person does to the cells of a notebook: each is one step to take back, and leaves the keyboard somewhere.
import type { DocumentUndo } from '../documents/undo';
import { announce } from '../ui/Announcer';
import {
  type CellKind,
  type CellValue,
  emptyCell,
  insertCell,
  kindOf,
  mergeCells,
  moveCells,
  removeCells,
  setKind,
  sourceOf,
  splitCell,
} from './cells';
import { isFolded, isHidden, type Part, setFolded, setHidden } from './collapsed';
import { levelOf } from './headings';
import { foldingOf, openWhatHides, withHidden } from './sections';
import { all, extendedTo, moved, only, type Selection, selectedIn, without } from './selection';
import { isHiddenFromAi, setHiddenFromAi } from './shownToAi';
import type { Caret, NotebookView } from './view';

/** The selected cells, in order. */
export function selectedKeys({ observed, shown }: NotebookView): string[] {
  return selectedIn(shown.getState().selection, observed.keys());
}

/** The same, with what collapsed headings among them hide: they are moved, copied and deleted with it. */
export function wholeKeys(view: NotebookView): string[] {
  return whole(view, selectedKeys(view));
}

/** Cells with what those of them that are collapsed headings hide. */
export function whole({ observed }: NotebookView, keys: readonly string[]): string[] {
  return withHidden(observed.folds(), observed.keys(), keys);
}

/** Changes which cells there are and where, as one step. What would come out of sight by it is brought out. */
export function rearrange<Result>({ observed: { doc, folds }, live }: NotebookView, change: () => Result): Result {
  return live.undo.step(() =>
    doc.transact(() => {
      const before = folds();
      const result = change();
      openWhatHides(doc, before);
      return result;
    }),
  );
}

/** The cells that can be seen, in order. */
export function visibleKeys({ observed }: NotebookView): string[] {
  const { hidden } = observed.folds();
  return observed.keys().filter((key) => !hidden.has(key));
}

/** The cell that has the attention. */
export function activeKey({ shown }: NotebookView): string | null {
  return shown.getState().selection.active;
}

/** Selects, and moves the keyboard to the active cell; one that is selected alone is brought out of what is folded. */
export function select(view: NotebookView, selection: Selection, caret: Caret = null): void {
  const { wish } = view.shown.getState();
  const key = selection.active;
  if (key !== null && selection.anchor === key) unfold(view, key);
  view.shown.setState({
    selection,
    wish: key === null ? null : { key, caret, count: (wish?.count ?? 0) + 1 },
  });
}

/** One cell up or down; with `extend` the selection grows. */
export function walk(view: NotebookView, step: 1 | -1, extend = false): void {
  select(view, moved(view.shown.getState().selection, visibleKeys(view), step, extend));
}

/** To the first or the last cell. */
export function walkToEnd(view: NotebookView, end: 'first' | 'last'): void {
  const visible = visibleKeys(view);
  select(view, only(visible.at(end === 'first' ? 0 : -1) ?? null));
}

/** Puts the keyboard back onto the selected cells, from what was pressed beside them. */
export function backToCells(view: NotebookView): void {
  select(view, view.shown.getState().selection);
}

/** Selects from where the selection began up to a cell. */
export function selectTo(view: NotebookView, key: string): void {
  select(view, extendedTo(view.shown.getState().selection, key));
}

/** Selects from where the selection began to the first or the last cell. */
export function selectToEnd(view: NotebookView, end: 'first' | 'last'): void {
  const key = visibleKeys(view).at(end === 'first' ? 0 : -1);
  if (key !== undefined) selectTo(view, key);
}

/** Selects every cell. */
export function selectAll(view: NotebookView): void {
  select(view, all(view.observed.keys()));
}

/** Puts the keyboard into the text of a cell. */
export function edit(view: NotebookView, key: string, caret: Caret = null): void {
  if (kindOf(view.observed.doc, key) === 'markdown') showSource(view, key, true);
  select(view, only(key, 'edit'), caret);
}

/** Puts the keyboard back onto the cell. */
export function leave(view: NotebookView): void {
  select(view, only(activeKey(view)));
}

/** Shows the text of a Markdown cell, or what it says. */
export function showSource({ shown }: NotebookView, key: string, source: boolean): void {
  const { sources } = shown.getState();
  if (sources.has(key) === source) return;
  const next = new Set(sources);
  if (source) next.add(key);
  else next.delete(key);
  shown.setState({ sources: next });
}

/** Puts a new cell above or below the active one; at the end if there is none. */
export function insert(view: NotebookView, where: 'above' | 'below', kind: CellKind = 'code'): string {
  const order = view.observed.keys();
  const active = activeKey(view) ?? order.at(-1) ?? null;
  const at = order.indexOf(active ?? '');
  return insertAfter(view, where === 'below' ? active : (order[at - 1] ?? null), emptyCell(kind));
}

/** Puts a new cell after another one, or first, and selects it. */
export function insertAfter(view: NotebookView, after: string | null, value: CellValue): string {
  const key = rearrange(view, () => insertCell(view.observed.doc, value, after));
  if (value.kind === 'markdown' && value.source === '') showSource(view, key, true);
  select(view, only(key));
  return key;
}

/** Takes the selected cells away; the selection goes to what is beside them. */
export function removeSelected(view: NotebookView): void {
  const keys = wholeKeys(view);
  if (keys.length === 0) return;
  const { hidden } = view.observed.folds();
  const next = without(view.shown.getState().selection, view.observed.keys(), new Set([...keys, ...hidden]));
  rearrange(view, () => removeCells(view.observed.doc, keys));
  select(view, next);
  announce(keys.length === 1 ? 'Cell deleted' : `${keys.length} cells deleted`);
}

/** Takes a change back, or makes it again. A cell that comes with it is selected, unless another one was meanwhile. */
export async function takeBack(view: NotebookView, step: (undo: DocumentUndo) => Promise<void>): Promise<void> {
  const [before, { selection }] = [new Set(view.observed.keys()), view.shown.getState()];
  await step(view.live.undo);
  const came = view.observed.keys().find((key) => !before.has(key));
  if (came !== undefined && view.shown.getState().selection === selection) select(view, only(came));
}

/** Moves the selected cells one place up or down. */
export function moveSelected(view: NotebookView, step: 1 | -1): void {
  const order = view.observed.keys();
  const keys = wholeKeys(view);
  const visible = visibleKeys(view);
  const beside = step < 0 ? visible.indexOf(keys[0] ?? '') - 1 : visible.findLastIndex((key) => keys.includes(key)) + 1;
  const over = visible[beside];
  if (keys.length === 0 || over === undefined) return;
  moveTo(view, keys, step < 0 ? (order[order.indexOf(over) - 1] ?? null) : (whole(view, [over]).at(-1) ?? null));
}

/** Puts cells after another one, or first. */
export function moveTo(view: NotebookView, keys: readonly string[], after: string | null): void {
  if (after !== null && keys.includes(after)) return;
  rearrange(view, () => moveCells(view.observed.doc, keys, after));
  backToCells(view);
  announce(`Moved to position ${view.observed.keys().indexOf(keys[0] ?? '') + 1} of ${view.observed.keys().length}`);
}

/** Makes the selected cells another kind. */
export function changeKind(view: NotebookView, kind: CellKind): void {
  const keys = selectedKeys(view);
  rearrange(view, () => setKind(view.observed.doc, keys, kind));
  for (const key of keys) showSource(view, key, kind === 'markdown');
}

/** Makes a Markdown cell a heading of a level, in place of what it was. */
export function makeHeading(view: NotebookView, level: number): void {
  const key = activeKey(view);
  const source = key === null ? null : sourceOf(view.observed.doc, key);
  if (key === null || !source) return;
  const mark = /^#{1,6}[ \t]*/.exec(source.toString())?.[0] ?? '';
  view.live.undo.step(() =>
    view.observed.doc.transact(() => {
      setKind(view.observed.doc, [key], 'markdown');
      if (mark !== '') source.delete(0, mark.length);
      source.insert(0, `${'#'.repeat(level)} `);
    }),
  );
  showSource(view, key, true);
}

/** Splits a cell where the caret is; the keyboard stays in what is after it. */
export function splitAt(view: NotebookView, key: string, at: number): void {
  const { doc } = view.observed;
  const first = view.live.undo.step(() => splitCell(doc, key, at));
  if (first === null) return;
  if (kindOf(doc, key) === 'markdown') showSource(view, first, true);
  edit(view, key, 'start');
}

/** Makes one cell of the selected ones; of one, with the one below it. */
export function mergeSelected(view: NotebookView): void {
  const selected = selectedKeys(view);
  const order = view.observed.keys();
  const below = order[order.indexOf(selected[0] ?? '') + 1];
  const keys = selected.length === 1 && below !== undefined ? [...selected, below] : selected;
  if (keys.length < 2) return;
  const { doc } = view.observed;
  const [first = ''] = keys;
  view.live.undo.step(() =>
    doc.transact(() => {
      const hidden = keys.some((key) => isHiddenFromAi(doc, key));
      mergeCells(doc, keys);
      // What a person keeps from models stays kept from them.
      if (hidden) setHiddenFromAi(doc, first, true);
    }),
  );
  select(view, only(first));
  announce(`${keys.length} cells merged`);
}

/** Hides a part of the selected cells, or shows it if the active one's is hidden. */
export function togglePart(view: NotebookView, part: Part): void {
  const { doc } = view.observed;
  const hide = !isHidden(doc, activeKey(view) ?? '', part);
  view.live.undo.step(() => {
    for (const key of selectedKeys(view)) setHidden(doc, key, part, hide);
  });
}

/** Keeps the selected cells from models, or shows them if the active one is kept from them. */
export function toggleForAi(view: NotebookView): void {
  const { doc } = view.observed;
  const keys = selectedKeys(view);
  const hide = !isHiddenFromAi(doc, activeKey(view) ?? '');
  view.live.undo.step(() =>
    doc.transact(() => {
      for (const key of keys) setHiddenFromAi(doc, key, hide);
    }),
  );
  announce(hide ? 'Hidden from AI' : 'Shown to AI');
}

/** Shows one cell to models again. */
export function showToAi(view: NotebookView, key: string): void {
  view.live.undo.step(() => setHiddenFromAi(view.observed.doc, key, false));
  announce('Shown to AI');
}

/** Hides or shows what is under the heading of the active cell. */
export function foldHeading(view: NotebookView, key: string, folded?: boolean): void {
  const { doc } = view.observed;
  if (levelOf(kindOf(doc, key), sourceOf(doc, key)?.toString() ?? '') === null) return;
  view.live.undo.step(() => setFolded(doc, key, folded ?? !isFolded(doc, key)));
}

/** Opens the headings under which a cell is hidden. */
function unfold({ observed, live }: NotebookView, key: string): void {
  const heading = () => (observed.folds().hidden.has(key) ? foldingOf(observed.folds(), observed.keys(), key) : null);
  if (heading() === null) return;
  live.undo.step(() => {
    for (let folded = heading(); folded !== null; folded = heading()) setFolded(observed.doc, folded, false);
  });
}

/** Opens what a cell or its text is folded into. */
export function bringOut(view: NotebookView, key: string): void {
  const { doc } = view.observed;
  unfold(view, key);
  if (isHidden(doc, key, 'source')) view.live.undo.step(() => setHidden(doc, key, 'source', false));
}
