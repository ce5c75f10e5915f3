// Follows the kernel and the outputs of notebooks that are shown: one watch a notebook, however many panes show it.
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { OutputPlace } from '../outputs/Outputs';
import { connection } from '../wire/connection';
import type { CellOutput } from '../wire/gen/types';
import { begun, noRuns, type RunFrame, type Runs, told, withForm } from './runs';

interface Watched {
  readonly store: StoreApi<Runs>;
  holders: number;
  /** Frames that came since the last one was drawn. */
  waiting: RunFrame[];
}

const watched = new Map<string, Watched>();
let following = false;

/** Begins to follow a notebook, or takes a share; what is returned with the store ends that. */
export function watchRuns(path: string): { runs: StoreApi<Runs>; close(): void } {
  follow();
  const entry = watched.get(path) ?? begin(path);
  entry.holders++;
  const close = () => {
    entry.holders--;
    if (entry.holders > 0) return;
    watched.delete(path);
    connection.send({ type: 'unwatch_notebook', path });
  };
  return { runs: entry.store, close };
}

/** Keeps a form of an output that was read, as if it had been sent. */
export function learnForm({ path, cell }: OutputPlace, output: CellOutput, mime: string, value: unknown): void {
  watched.get(path)?.store.setState((runs) => withForm(runs, cell, output, mime, value));
}

function begin(path: string): Watched {
  const entry: Watched = { store: createStore(() => noRuns), holders: 0, waiting: [] };
  watched.set(path, entry);
  connection.send({ type: 'watch_notebook', path });
  return entry;
}

/** Once per window: what the server tells goes to whoever shows it, and after a reconnect it is asked again. */
function follow(): void {
  if (following) return;
  following = true;
  connection.on('notebook_kernel', receive);
  connection.on('cell_outputs', receive);
  connection.on('notebook_widgets', receive);
  connection.on('notebook_odd_cells', receive);
  connection.on('notebook_caught_up', receive);
  connection.on('hello', () => {
    for (const [path, { store }] of watched) {
      store.setState(begun(store.getState()));
      connection.send({ type: 'watch_notebook', path });
    }
  });
}

/** One change a frame, however much a cell prints. */
function receive(frame: RunFrame): void {
  const entry = watched.get(frame.path);
  if (!entry) return;
  entry.waiting.push(frame);
  if (entry.waiting.length === 1) nextFrame(() => take(entry));
}

function take(entry: Watched): void {
  const frames = entry.waiting;
  entry.waiting = [];
  entry.store.setState(told(entry.store.getState(), frames));
}

/** A window that is not looked at draws no frames, but is kept up to date. */
function nextFrame(run: () => void): void {
  if (document.visibilityState === 'visible') requestAnimationFrame(run);
  else setTimeout(run, 250);
}
