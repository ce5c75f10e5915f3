// One order for what a person typed and what actions did to a document, so that Ctrl-Z takes back the latest. Pure.
//
//   typed         -> undo: … typing           redo: cleared
//   acted         -> undo: … action
//   acted(undoes) -> the action it took back goes over to redo, or comes back from there
import type { ActionId } from '../wire/gen/types';

/** One thing that can be taken back. */
export type Entry =
  | { kind: 'typing' }
  /** `undo` is the action that took it back; with it, the entry is one to redo. */
  | { kind: 'action'; action: ActionId; undo?: ActionId };

/** What can be taken back and what can be done again, the latest last. */
export interface UndoLog {
  undo: Entry[];
  redo: Entry[];
}

/** Nothing yet. */
export const emptyLog: UndoLog = { undo: [], redo: [] };

/** A new piece of typing; what was taken back before is out of reach. */
export function typed(log: UndoLog): UndoLog {
  return { undo: [...log.undo, { kind: 'typing' }], redo: [] };
}

/** The latest typing was taken back. */
export function untyped(log: UndoLog): UndoLog {
  return { undo: without(log.undo, lastTyping(log.undo)), redo: [...log.redo, { kind: 'typing' }] };
}

/** The latest typing that was taken back was done again. */
export function retyped(log: UndoLog): UndoLog {
  return { undo: [...log.undo, { kind: 'typing' }], redo: without(log.redo, lastTyping(log.redo)) };
}

/** An action changed the document, wherever it was asked for. */
export function acted(log: UndoLog, action: ActionId, undoes: ActionId | null): UndoLog {
  const known = log.undo.some((entry) => isAction(entry, action)) || log.redo.some((entry) => isUndo(entry, action));
  if (known) return log;
  const back = log.undo.findLastIndex((entry) => isAction(entry, undoes));
  if (back >= 0 && undoes !== null) {
    return { undo: without(log.undo, back), redo: [...log.redo, { kind: 'action', action: undoes, undo: action }] };
  }
  const again = log.redo.findLastIndex((entry) => isUndo(entry, undoes));
  const redo = again >= 0 ? without(log.redo, again) : log.redo;
  return { undo: [...log.undo, { kind: 'action', action }], redo };
}

/** An entry turned out not to be possible: it is passed over. */
export function dropped(log: UndoLog, gone: Entry): UndoLog {
  return { undo: log.undo.filter((entry) => entry !== gone), redo: log.redo.filter((entry) => entry !== gone) };
}

/** Leaves only as many typing entries as the editor's own history has: it drops those without an effect. */
export function reconciled(log: UndoLog, undoDepth: number, redoDepth: number): UndoLog {
  return { undo: atMost(log.undo, undoDepth), redo: atMost(log.redo, redoDepth) };
}

function atMost(entries: Entry[], typings: number): Entry[] {
  const surplus = entries.filter((entry) => entry.kind === 'typing').length - typings;
  return surplus > 0 ? atMost(without(entries, lastTyping(entries)), typings) : entries;
}

function lastTyping(entries: Entry[]): number {
  return entries.findLastIndex((entry) => entry.kind === 'typing');
}

function without(entries: Entry[], at: number): Entry[] {
  return at < 0 ? entries : entries.toSpliced(at, 1);
}

function isAction(entry: Entry, action: ActionId | null): boolean {
  return entry.kind === 'action' && entry.action === action;
}

function isUndo(entry: Entry, action: ActionId | null): boolean {
  return entry.kind === 'action' && entry.undo !== undefined && entry.undo === action;
}
