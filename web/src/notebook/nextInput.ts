// What code asks to have written next, such as what `%load` and `%recall` read: the window that ran it writes it, as an edit of
// its person, and only while it shows the notebook.
import type { NextInput } from '../wire/gen/types';
import { emptyCell, insertCell, kindOf, sourceOf, sourceText } from './cells';
import { isUnderWay } from './runs';
import type { NotebookView } from './view';

/** A cell whose run was asked for here: the runs that were begun with it, and the text that it had then. */
interface Ran {
  readonly executions: ReadonlySet<unknown>;
  readonly text: string;
}

/** By the keys of the cells. */
const expected = new WeakMap<NotebookView, Map<string, Ran>>();

/** Writes what these runs ask for when they have ended; the texts are by cell. */
export function expectNextInputs(view: NotebookView, executions: unknown, texts: ReadonlyMap<string, string>): void {
  if (!Array.isArray(executions)) return;
  const ran = expected.get(view) ?? follow(view);
  const begun = new Set<unknown>(executions);
  for (const [key, text] of texts) {
    if (kindOf(view.observed.doc, key) === 'code') ran.set(key, { executions: begun, text });
  }
  look(view, ran);
}

function follow(view: NotebookView): Map<string, Ran> {
  const ran = new Map<string, Ran>();
  expected.set(view, ran);
  view.runs.subscribe(() => ran.size > 0 && look(view, ran));
  return ran;
}

function look(view: NotebookView, ran: Map<string, Ran>): void {
  const { cells } = view.runs.getState();
  for (const [key, { executions, text }] of ran) {
    const run = cells.get(key);
    if (!run?.execution || !executions.has(run.execution.id) || isUnderWay(run)) continue;
    ran.delete(key);
    const { next_input } = run.execution;
    if (next_input) view.live.undo.step(() => write(view, key, text, next_input));
  }
}

/** In place of what was run, as long as it still stands there; else in a new cell below. */
function write({ observed }: NotebookView, key: string, ran: string, { text, replace }: NextInput): void {
  const { doc } = observed;
  const source = sourceOf(doc, key);
  if (replace && source && sourceText(doc, key) === ran) {
    doc.transact(() => {
      source.delete(0, source.length);
      source.insert(0, text);
    });
  } else insertCell(doc, emptyCell('code', text), source ? key : (observed.keys().at(-1) ?? null));
}
