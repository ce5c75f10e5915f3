// What a person asks of the kernel: cells to run, a start, a stop, an answer to what the code asks. The Gate does it.
import { learn } from '../actions/store';
import { doAction } from '../app/actionFlow';
import { toastFailure } from '../ui/Toast';
import { submitAction } from '../wire/actions';
import type { AnswerInput, AskKernel, KernelCompletions, KernelInspection } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { emptyCell, kindOf, sourceText } from './cells';
import { insertAfter, select, selectedKeys, showSource } from './edits';
import { isUnderWay } from './runs';
import { only } from './selection';
import type { NotebookView } from './view';

/** What happens to the selection after cells were run. */
export type After = 'stay' | 'next' | 'insert';

/** Runs the selected cells; those of Markdown show what they say. */
export function runSelected(view: NotebookView, after: After): void {
  const keys = selectedKeys(view);
  void run(view, keys);
  if (after === 'stay') return select(view, only(keys.at(-1) ?? null));
  const order = view.observed.keys();
  const last = keys.at(-1) ?? null;
  const next = order[order.indexOf(last ?? '') + 1];
  if (after === 'insert' || next === undefined) {
    const key = insertAfter(view, last, emptyCell('code'));
    select(view, only(key, 'edit'));
  } else select(view, only(next));
}

/** Runs cells in the order of the notebook. What waits already is not asked for again. */
export async function run(view: NotebookView, keys: readonly string[]): Promise<void> {
  const { doc } = view.observed;
  for (const key of keys) if (kindOf(doc, key) === 'markdown') showSource(view, key, sourceText(doc, key) === '');
  const { cells } = view.runs.getState();
  const code = keys.filter((key) => kindOf(doc, key) === 'code' && !isUnderWay(cells.get(key)));
  if (code.length > 0) await ask('cell.run', { path: view.path, cells: code });
}

/** Runs all cells, or those on one side of the active one; `from` includes it. */
export function runPart(view: NotebookView, part: 'all' | 'above' | 'from'): void {
  const order = view.observed.keys();
  const at = order.indexOf(view.shown.getState().selection.active ?? '');
  void run(view, part === 'all' || at < 0 ? order : part === 'above' ? order.slice(0, at) : order.slice(at));
}

/** Stops what runs. */
export const interrupt = (view: NotebookView) => ask('kernel.interrupt', { path: view.path });

/** Starts the kernel anew: what was computed is gone. */
export const restart = (view: NotebookView) => ask('kernel.restart', { path: view.path });

/** Starts the kernel anew and runs everything. */
export async function restartAndRunAll(view: NotebookView): Promise<void> {
  if (await restart(view)) runPart(view, 'all');
}

/** Ends the kernel. */
export const shutDown = (view: NotebookView) => ask('kernel.shutdown', { path: view.path });

/** Starts a kernel of this name, in place of the one that runs; without a name the notebook's own. */
export function start(view: NotebookView, kernel?: string): Promise<boolean> {
  return ask('kernel.start', { path: view.path, ...(kernel !== undefined && { kernel }) });
}

/** Takes away what the cells put out. */
export function clearOutputs(view: NotebookView, keys: readonly string[]): void {
  void doAction(
    { action_type: 'cell.clear_outputs', args: { path: view.path, cells: keys } },
    { done: 'Outputs cleared' },
  );
}

/** Gives the running code the line that it waits for. */
export async function answer(view: NotebookView, execution: string, value: string): Promise<boolean> {
  try {
    await request('POST', 'notebooks/input', { path: view.path, execution, value } satisfies AnswerInput);
    return true;
  } catch (error) {
    toastFailure(failureOf(error));
    return false;
  }
}

/** What could stand at a place; null if the kernel can't say. */
export async function completionsAt(
  view: NotebookView,
  code: string,
  place: number,
): Promise<KernelCompletions | null> {
  const body: AskKernel = { path: view.path, code, place };
  return request<KernelCompletions>('POST', 'notebooks/completions', body).catch(() => null);
}

/** What the kernel knows of what is at a place. */
export async function inspectionAt(view: NotebookView, code: string, place: number): Promise<string | null> {
  const body: AskKernel = { path: view.path, code, place };
  const found = await request<KernelInspection>('POST', 'notebooks/inspection', body).catch(() => null);
  return found?.text ?? null;
}

/** Asks for an action; what goes wrong in a cell is shown in the cell, all else in a toast. */
async function ask(action_type: string, args: Record<string, unknown>): Promise<boolean> {
  try {
    const { state, outcome, record } = await submitAction({ action_type, args });
    learn(record);
    const failure = outcome && 'failure' in outcome ? outcome.failure : null;
    if (failure && !IN_THE_CELL.has(failure.code)) toastFailure(failure);
    return state === 'done';
  } catch (error) {
    toastFailure(failureOf(error));
    return false;
  }
}

/** Failures that the cell, or the line of the kernel, shows itself. */
const IN_THE_CELL = new Set(['cell_failed', 'stopped', 'interrupted']);
