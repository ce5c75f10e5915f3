// The keys of a notebook: letters while a cell has the keyboard, and what is the same there and in its text.
import { type Command, registerCommands } from '../app/commands';
import { focusedView } from '../frames/store';
import { setting } from '../settings/values';
import { stopCell } from './ai/stop';
import { copySelected, cutSelected, paste } from './clipboard';
import * as edits from './edits';
import { askForWords } from './FindBar';
import { interrupt, restart, restartAndRunAll, runPart, runSelected } from './kernel';
import { KINDS } from './kinds';
import type { NotebookView } from './view';

const shownNotebooks = new Map<string, NotebookView>();

/** Makes a notebook the one that keys and the palette mean while its tab has the attention. */
export function attendTo(view: NotebookView): () => void {
  registerNotebookCommands();
  shownNotebooks.set(view.tab, view);
  current = view;
  return () => {
    shownNotebooks.delete(view.tab);
    if (current === view) current = null;
  };
}

let current: NotebookView | null = null;

/** The notebook that has the attention. */
function notebook(): NotebookView | null {
  const view = focusedView();
  return current && view?.kind === 'file' && view.path === current.path ? current : null;
}

/** The keyboard is on a cell, not in its text nor in a field; or where the first one will be. */
function commands(): boolean {
  const at = document.activeElement;
  return notebook() !== null && !!at && (at.matches('[data-cell]') || at.closest('[data-no-cells]') !== null);
}

/** The keyboard is beside the notebook, such as in a message: there the browser looks, through all of the page. */
function isBeside(): boolean {
  const at = document.activeElement;
  return at !== null && at !== document.body && at.closest('[data-notebook], search') === null;
}

type Do = (view: NotebookView) => unknown;

/** A letter for a cell that has the keyboard. */
function letter(keys: string, title: string, run: Do, rest: Partial<Command> = {}): Command {
  return {
    id: `notebook.${title.toLowerCase().replaceAll(/[^a-z]+/g, '_')}`,
    title,
    group: 'Notebook: command mode',
    keys: keys.split(' '),
    when: commands,
    run: () => void (notebook() && run(notebook() as NotebookView)),
    ...rest,
  };
}

/** The same wherever the keyboard is in the notebook, and in the palette. */
function anywhere(id: string, title: string, run: Do, keys?: string[]): Command {
  return {
    id: `notebook.${id}`,
    title,
    group: 'Notebook',
    ...(keys && { keys }),
    when: () => notebook() !== null,
    run: () => void (notebook() && run(notebook() as NotebookView)),
  };
}

const all: Command[] = [
  anywhere('run_on', 'Run cell and advance', (view) => runSelected(view, 'next'), ['Shift-Enter']),
  anywhere('run', 'Run cell', (view) => runSelected(view, 'stay'), ['Ctrl-Enter']),
  anywhere('run_insert', 'Run cell and insert below', (view) => runSelected(view, 'insert'), ['Alt-Enter']),
  anywhere('run_all', 'Run all cells', (view) => runPart(view, 'all')),
  anywhere('run_above', 'Run all cells above', (view) => runPart(view, 'above')),
  anywhere('run_from', 'Run this cell and all below', (view) => runPart(view, 'from')),
  anywhere('interrupt', 'Interrupt kernel', interrupt),
  anywhere('restart', 'Restart kernel', restart),
  anywhere('restart_run', 'Restart kernel and run all cells', restartAndRunAll),
  anywhere('outline', 'Notebook outline', (view) => view.shown.setState(({ outline }) => ({ outline: !outline }))),
  anywhere('hide_from_ai', 'Show or hide cells for AI', edits.toggleForAi),
  {
    ...anywhere('find', 'Find and replace in all cells', askForWords, ['Mod-f']),
    when: () => notebook() !== null && !isBeside(),
  },
  letter('Enter', 'Edit cell', (view) => withActive(view, (key) => edits.edit(view, key)), {
    // Where there is none, it presses what makes one.
    when: () => commands() && notebook()?.observed.keys().length !== 0,
  }),
  letter('ArrowUp k', 'Select cell above', (view) => edits.walk(view, -1)),
  letter('ArrowDown j', 'Select cell below', (view) => edits.walk(view, 1)),
  letter('Shift-ArrowUp Shift-k', 'Extend selection above', (view) => edits.walk(view, -1, true)),
  letter('Shift-ArrowDown Shift-j', 'Extend selection below', (view) => edits.walk(view, 1, true)),
  letter('Shift-Home', 'Extend selection to top', (view) => edits.selectToEnd(view, 'first')),
  letter('Shift-End', 'Extend selection to bottom', (view) => edits.selectToEnd(view, 'last')),
  letter('Home', 'Go to first cell', (view) => edits.walkToEnd(view, 'first')),
  letter('End', 'Go to last cell', (view) => edits.walkToEnd(view, 'last')),
  letter('Mod-a', 'Select all cells', edits.selectAll),
  letter('a', 'Insert cell above', (view) => edits.insert(view, 'above')),
  letter('b', 'Insert cell below', (view) => edits.insert(view, 'below')),
  letter('x', 'Cut cells', cutSelected),
  letter('c', 'Copy cells', copySelected),
  letter('v', 'Paste cells below', (view) => paste(view, 'below')),
  letter('Shift-v', 'Paste cells above', (view) => paste(view, 'above')),
  letter('d', 'Delete cells: D twice', (view) => twice('d', () => edits.removeSelected(view)), { once: true }),
  letter('z Mod-z', 'Undo', (view) => edits.takeBack(view, (undo) => undo.undo())),
  letter('Shift-z Mod-Shift-z Mod-y', 'Redo', (view) => edits.takeBack(view, (undo) => undo.redo())),
  ...Object.entries(KINDS).map(([kind, { key, make }]) => letter(key, make, (view) => edits.changeKind(view, kind))),
  ...[1, 2, 3, 4, 5, 6].map((level) =>
    letter(String(level), `Change to heading ${level}`, (view) => edits.makeHeading(view, level), {
      id: `notebook.heading_${level}`,
    }),
  ),
  letter('Shift-m', 'Merge cells', edits.mergeSelected),
  letter('Alt-ArrowUp Mod-Shift-ArrowUp', 'Move cells up', (view) => edits.moveSelected(view, -1)),
  letter('Alt-ArrowDown Mod-Shift-ArrowDown', 'Move cells down', (view) => edits.moveSelected(view, 1)),
  letter('o', 'Show or hide outputs', (view) => edits.togglePart(view, 'outputs')),
  letter('Shift-o', 'Show or hide code', (view) => edits.togglePart(view, 'source')),
  letter('ArrowLeft', 'Collapse heading', (view) => withActive(view, (key) => edits.foldHeading(view, key, true))),
  letter('ArrowRight', 'Expand heading', (view) => withActive(view, (key) => edits.foldHeading(view, key, false))),
  letter('l Shift-l', 'Show or hide line numbers', (view) =>
    view.shown.setState(({ lineNumbers }) => ({ lineNumbers: !(lineNumbers ?? setting('notebook.line_numbers')) })),
  ),
  letter('f', 'Find and replace', askForWords),
  letter('0', 'Restart kernel: 0 twice', (view) => twice('0', () => void restart(view)), { once: true }),
  letter('i', 'Interrupt kernel: I twice', (view) => twice('i', () => void stopActive(view)), { once: true }),
];

function withActive(view: NotebookView, run: (key: string) => void): void {
  const key = edits.activeKey(view);
  if (key !== null) run(key);
}

/** What is active and runs, that alone is stopped. */
function stopActive(view: NotebookView): void {
  const key = edits.activeKey(view);
  void (key === null ? interrupt(view) : stopCell(view, key));
}

let pressed = { key: '', at: 0 };

/** Does it when the same key was pressed just before. */
function twice(key: string, run: () => void): void {
  const now = performance.now();
  const second = pressed.key === key && now - pressed.at < PAUSE;
  pressed = second ? { key: '', at: 0 } : { key, at: now };
  if (second) run();
}

/** Milliseconds between the two presses of one key. */
const PAUSE = 700;

let registered = false;

/** Adds the keys, once per window. */
export function registerNotebookCommands(): void {
  if (registered) return;
  registered = true;
  registerCommands(all);
}
