// The cells of a live notebook in its Yjs document, as `notebook_document.rs` lays them out:
//
//   cells:    key -> { kind, position, source: text, metadata: name -> JSON text, others: name -> JSON text }
//   metadata: name -> JSON text
//
// Another peer may write anything into its copy: what can't be read is taken for what is not there.
import * as Y from 'yjs';
import { MARKED } from './kinds';
import { between, compareTexts } from './position';

/** What a cell holds: one of `kinds.ts`, or what the format does not know. An AI or SQL cell is code whose metadata says so. */
export type CellKind = string;

/** A cell as a value: to be put in, or kept for pasting. */
export interface CellValue {
  kind: CellKind;
  source: string;
  /** By name, each as JSON text. */
  metadata: Record<string, string>;
  /** What else it has, such as `attachments`, by name, each as JSON text. */
  others: Record<string, string>;
}

/** The shared map of the cells. */
export function cellsOf(doc: Y.Doc): Y.Map<unknown> {
  return doc.getMap('cells');
}

/** One cell's map, if it is one. */
export function cellOf(doc: Y.Doc, key: string): Y.Map<unknown> | null {
  const cell = cellsOf(doc).get(key);
  return cell instanceof Y.Map ? cell : null;
}

/** The keys of the cells by their positions; of those at the same one, by their keys. */
export function orderOf(doc: Y.Doc): string[] {
  return positions(doc).map(([, key]) => key);
}

/** What a cell holds; empty if it does not say. */
export function kindOf(doc: Y.Doc, key: string): CellKind {
  const cell = cellOf(doc, key);
  const inFormat = textIn(cell, 'kind');
  // A file may name a kind by itself as we do: the format does not know it, and no more do we.
  if (inFormat !== 'code') return MARKED.has(inFormat) ? `unknown (${inFormat})` : inFormat;
  const marked = parsed(textAt(cell?.get('metadata'), OURS))?.cell;
  return typeof marked === 'string' && MARKED.has(marked) ? marked : inFormat;
}

/** The part of a cell's metadata that is ours. */
const OURS = 'aside';

/** What that part is for a cell of a kind that has this now, each as JSON text. */
function markedAs(kind: CellKind, now: string | null): string | null {
  const ours = parsed(now);
  const mark = MARKED.has(kind) ? kind : null;
  if ((ours?.cell ?? null) === mark) return now;
  const { cell: _, ...rest } = ours ?? {};
  const marked = mark === null ? rest : { ...rest, cell: mark };
  return Object.keys(marked).length > 0 ? JSON.stringify(marked) : null;
}

/** What the format calls a kind. */
const inFormat = (kind: CellKind): string => (MARKED.has(kind) ? 'code' : kind);

/** The shared text of a cell. */
export function sourceOf(doc: Y.Doc, key: string): Y.Text | null {
  const source = cellOf(doc, key)?.get('source');
  return source instanceof Y.Text ? source : null;
}

/** The text of a cell as it is now. */
export function sourceText(doc: Y.Doc, key: string): string {
  return sourceOf(doc, key)?.toString() ?? '';
}

/** A part of a cell's metadata, as JSON text. */
export function metadataOf(doc: Y.Doc, key: string, name: string): string | null {
  return textAt(cellOf(doc, key)?.get('metadata'), name);
}

/** What else a cell has, such as `attachments`, as JSON text. */
export function otherOf(doc: Y.Doc, key: string, name: string): string | null {
  return textAt(cellOf(doc, key)?.get('others'), name);
}

/** A part of the notebook's metadata, as JSON text. */
export function notebookMetadata(doc: Y.Doc, name: string): string | null {
  return textAt(doc.getMap('metadata'), name);
}

/** A cell as a value. */
export function copyOf(doc: Y.Doc, key: string): CellValue {
  const cell = cellOf(doc, key);
  return {
    kind: kindOf(doc, key),
    source: sourceText(doc, key),
    metadata: textsIn(cell, 'metadata'),
    others: textsIn(cell, 'others'),
  };
}

/** A new cell. */
export function emptyCell(kind: CellKind, source = ''): CellValue {
  return { kind, source, metadata: {}, others: {} };
}

/** A key for a new cell that no other has: also its id in the file. */
export function newKey(doc: Y.Doc): string {
  for (;;) {
    const key = crypto.randomUUID().slice(0, 8);
    if (!cellsOf(doc).has(key)) return key;
  }
}

/** Puts a new cell after another one, or first; returns its key. */
export function insertCell(doc: Y.Doc, value: CellValue, after: string | null, key = newKey(doc)): string {
  doc.transact(() => {
    const cell = new Y.Map<unknown>();
    const position = positionAfter(doc, after, key);
    cellsOf(doc).set(key, cell);
    cell.set('kind', inFormat(value.kind));
    cell.set('position', position);
    cell.set('source', new Y.Text(value.source));
    const { [OURS]: ours = null, ...metadata } = value.metadata;
    const marked = markedAs(value.kind, ours);
    if (marked !== null) metadata[OURS] = marked;
    cell.set('metadata', new Y.Map(Object.entries(metadata)));
    cell.set('others', new Y.Map(Object.entries(value.others)));
  });
  return key;
}

/** Takes cells away. */
export function removeCells(doc: Y.Doc, keys: readonly string[]): void {
  doc.transact(() => {
    for (const key of keys) cellsOf(doc).delete(key);
  });
}

/** Puts cells after another one, or first, in the order in which they are given. */
export function moveCells(doc: Y.Doc, keys: readonly string[], after: string | null): void {
  doc.transact(() => {
    let before = after;
    for (const key of keys) {
      cellOf(doc, key)?.set('position', positionAfter(doc, before, key));
      before = key;
    }
  });
}

/** Makes cells another kind. */
export function setKind(doc: Y.Doc, keys: readonly string[], kind: CellKind): void {
  doc.transact(() => {
    for (const key of keys) {
      if (kindOf(doc, key) === kind) continue;
      cellOf(doc, key)?.set('kind', inFormat(kind));
      setMetadata(doc, key, OURS, markedAs(kind, metadataOf(doc, key, OURS)));
    }
  });
}

/** Sets a part of a cell's metadata, as JSON text; null takes it away. */
export function setMetadata(doc: Y.Doc, key: string, name: string, value: string | null): void {
  setIn(doc, key, 'metadata', name, value);
}

/** Sets what else a cell has, such as `attachments`, as JSON text. */
export function setOther(doc: Y.Doc, key: string, name: string, value: string): void {
  setIn(doc, key, 'others', name, value);
}

function setIn(doc: Y.Doc, key: string, part: 'metadata' | 'others', name: string, value: string | null): void {
  const cell = cellOf(doc, key);
  if (!cell || textAt(cell.get(part), name) === value) return;
  doc.transact(() => {
    let map = cell.get(part);
    if (!(map instanceof Y.Map)) {
      map = new Y.Map();
      cell.set(part, map);
    }
    if (value === null) (map as Y.Map<unknown>).delete(name);
    else (map as Y.Map<unknown>).set(name, value);
  });
}

/**
 * Splits a cell at a place: what is before it becomes a cell of its own above, whose key is returned. The rest keeps the key,
 * and with it the runs and what they put out. A line end at the place goes.
 */
export function splitCell(doc: Y.Doc, key: string, at: number): string | null {
  const source = sourceOf(doc, key);
  if (!source) return null;
  const text = source.toString();
  const place = Math.min(at, text.length);
  const begin = text[place - 1] === '\n' ? place - 1 : place;
  const end = begin === place && text[place] === '\n' ? place + 1 : place;
  return doc.transact(() => {
    const order = orderOf(doc);
    const above = order[order.indexOf(key) - 1] ?? null;
    const first = insertCell(doc, { ...copyOf(doc, key), source: text.slice(0, begin) }, above);
    if (end > 0) source.delete(0, end);
    return first;
  });
}

/** Makes one cell of several in a row: the first one, with the texts and the attachments of all. */
export function mergeCells(doc: Y.Doc, keys: readonly string[]): void {
  const [first, ...rest] = keys;
  const source = first === undefined ? null : sourceOf(doc, first);
  if (first === undefined || !source || rest.length === 0) return;
  const between = kindOf(doc, first) === 'markdown' ? '\n\n' : '\n';
  doc.transact(() => {
    for (const key of rest) source.insert(source.length, between + sourceText(doc, key));
    mergeAttachments(doc, first, rest);
    removeCells(doc, rest);
  });
}

function mergeAttachments(doc: Y.Doc, first: string, rest: readonly string[]): void {
  const all = [first, ...rest].map((key) => parsed(otherOf(doc, key, 'attachments')));
  if (all.slice(1).every((one) => one === null)) return;
  setOther(doc, first, 'attachments', JSON.stringify(Object.assign({}, ...all.toReversed())));
}

/** JSON as an object; null for what is none. */
export function parsed(json: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function positions(doc: Y.Doc): [position: string, key: string][] {
  const all: [string, string][] = [];
  cellsOf(doc).forEach((cell, key) => {
    if (cell instanceof Y.Map) all.push([textIn(cell, 'position'), key]);
  });
  return all.sort(([position, key], [other, otherKey]) => compareTexts(position, other) || compareTexts(key, otherKey));
}

function positionAfter(doc: Y.Doc, after: string | null, key: string): string {
  const others = positions(doc).filter(([, other]) => other !== key);
  const at = others.findIndex(([, other]) => other === after) + 1;
  return between(others[at - 1]?.[0] ?? '', others[at]?.[0] ?? null, key);
}

function textIn(cell: Y.Map<unknown> | null, name: string): string {
  const value = cell?.get(name);
  return typeof value === 'string' ? value : '';
}

function textAt(map: unknown, name: string): string | null {
  const value = map instanceof Y.Map ? map.get(name) : null;
  return typeof value === 'string' ? value : null;
}

function textsIn(cell: Y.Map<unknown> | null, name: string): Record<string, string> {
  const map = cell?.get(name);
  if (!(map instanceof Y.Map)) return {};
  return Object.fromEntries([...map.entries()].filter(([, value]) => typeof value === 'string'));
}
