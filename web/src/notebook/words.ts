// The words of a cell: what a screen reader says of it, how long it took. Pure.
import type { CellExecution } from '../wire/gen/types';
import { KINDS } from './kinds';
import type { CellRun } from './runs';

/** A kind of cell in a word. */
export function kindWord(kind: string): string {
  return KINDS[kind]?.word ?? (kind || 'unknown type');
}

/** “Cell 12, code, run 5, failed”. */
export function cellLabel(index: number, kind: string, run: CellRun | undefined, waits = false): string {
  const count = run?.count;
  const state = run ? shownState(kind, run) : null;
  const word = waits ? WAITS : state && stateWord(state);
  return [`Cell ${index + 1}`, kindWord(kind), count ? `run ${count}` : null, word].filter(Boolean).join(', ');
}

/** How the run of a cell ended: “Done, 2 outputs”, “Failed: ZeroDivisionError: division by zero”. */
export function endWords(kind: string, run: Pick<CellRun, 'execution' | 'outputs'>): string {
  const [state, { outputs }] = [shownState(kind, run), run];
  if (state === 'stopped') return 'Stopped';
  const error = outputs.find((output) => output.type === 'error');
  if (error) return `Failed: ${error.name}: ${error.value}`.slice(0, 300);
  const count = outputs.length === 1 ? '1 output' : `${outputs.length} outputs`;
  return state === 'ok' ? `Done, ${count}` : `Cell ${state ? stateWord(state) : 'ended'}`;
}

/** How a run is shown to be. */
export type ShownState = CellExecution['state'] | 'stopped';

/** How a run is, in a word. */
export function stateWord(state: ShownState): string {
  return STATES[state];
}

/** How a run is; null if there was none here. An answer that a person stopped is kept as one that failed. */
export function shownState(kind: string, run: Pick<CellRun, 'execution' | 'outputs'>): ShownState | null {
  const [state = null, last] = [run.execution?.state, run.outputs.at(-1)];
  const isStopped = kind === 'ai' && state === 'failed' && last?.type === 'error' && last.name === 'Stopped';
  return isStopped ? 'stopped' : state;
}

/** Of an answer that stands at something a person has to decide. */
export const WAITS = 'waiting for you';

const STATES: Record<ShownState, string> = {
  queued: 'queued',
  running: 'running',
  ok: 'done',
  failed: 'failed',
  stopped: 'stopped',
  aborted: 'not run',
  lost: 'lost: the kernel ended',
};

/** How long a run took, or takes until `now` (ms): `300 ms`, `12 s`, `3m 5s`; null before it begins. */
export function tookWords({ began_at, ended_at }: CellExecution, now: number): string | null {
  if (began_at === null) return null;
  const milliseconds = (ended_at ?? now) - began_at;
  if (!(milliseconds >= 0)) return null;
  if (milliseconds < 950) return `${Math.max(1, Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${whole % 60}s`;
  return `${Math.floor(whole / 3600)}h ${Math.floor(whole / 60) % 60}m`;
}

/** Bytes for people. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
