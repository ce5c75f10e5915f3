// What a person asks of the kernel: cells to run, a start, a stop, an answer to what the code asks. The Gate does it.
import { learn } from '../actions/store';
import { doAction } from '../app/actionFlow';
import { isGuest } from '../app/session';
import { toast, toastFailure } from '../ui/Toast';
import { submitAction } from '../wire/actions';
import type {
  AnswerInput,
  AskKernel,
  Failure,
  GoOn,
  InputAsked,
  KernelCompletions,
  KernelInspection,
  NotebookKernel,
} from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { emptyCell, kindOf, sourceText } from './cells';
import { insertAfter, select, selectedKeys, showSource, visibleKeys } from './edits';
import { canRun } from './kinds';
import { expectNextInputs } from './nextInput';
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
  const order = visibleKeys(view);
  const last = keys.at(-1) ?? null;
  const next = order[order.indexOf(last ?? '') + 1];
  if (after === 'insert' || next === undefined) {
    const key = insertAfter(view, last, emptyCell('code'));
    select(view, only(key, 'edit'));
  } else select(view, only(next));
}

/**
 * Runs cells in the order of the notebook. One that is running runs once more after that, with the text that it has now; what
 * waits with the same text keeps its place: the server sees to that. A model gives a cell one answer at a time.
 */
export async function run(view: NotebookView, keys: readonly string[]): Promise<void> {
  const { doc } = view.observed;
  for (const key of keys) if (kindOf(doc, key) === 'markdown') showSource(view, key, sourceText(doc, key) === '');
  const { cells } = view.runs.getState();
  const isToRun = (key: string) => {
    const kind = kindOf(doc, key);
    return canRun(kind) && sourceText(doc, key).trim() !== '' && !(kind === 'ai' && isUnderWay(cells.get(key)));
  };
  const code = keys.filter(isToRun);
  if (code.length > 0 && isGuest()) return toast('Only the owner can run cells');
  if (code.length > 0) await inOrder(() => runAsSeen(view, code));
}

let asked: Promise<unknown> = Promise.resolve();

/** One request after the other: what is asked for first is run first. */
function inOrder(run: () => Promise<unknown>): Promise<unknown> {
  asked = asked.then(run);
  return asked;
}

/** Milliseconds after which it is asked again when the server has not got yet what was typed last. */
const AGAIN = [50, 100, 200, 400, 800, 1600];

/** What the server says of cells, texts and kinds that have not reached it. */
const NOT_YET = new Set(['stale', 'not_found', 'not_code']);

/** Runs cells with the text that they have in this window; what was typed travels another way than the request. */
async function runAsSeen(view: NotebookView, cells: readonly string[]): Promise<void> {
  for (const wait of [...AGAIN, null]) {
    const texts = new Map(cells.map((key) => [key, sourceText(view.observed.doc, key)]));
    const args = { path: view.path, cells, versions: await versionsOf(texts) };
    const failure = await submit(args, (executions) => expectNextInputs(view, executions, texts));
    if (!failure || !NOT_YET.has(failure.code) || wait === null) return failure ? toastFailure(failure) : undefined;
    await new Promise((done) => setTimeout(done, wait));
  }
}

/** The versions of the cells' texts by their keys, as the server names them. A page without a safe way to it has none. */
async function versionsOf(texts: ReadonlyMap<string, string>): Promise<Record<string, string>> {
  if (!crypto.subtle) return {};
  const version = async ([key, text]: [string, string]): Promise<[string, string]> => {
    const bytes = new TextEncoder().encode(text);
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return [key, [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')];
  };
  return Object.fromEntries(await Promise.all([...texts].map(version)));
}

/** Runs all cells, or those on one side of the active one; `from` includes it. */
export function runPart(view: NotebookView, part: 'all' | 'above' | 'from'): void {
  const order = view.observed.keys();
  const at = order.indexOf(view.shown.getState().selection.active ?? '');
  void run(view, part === 'all' || at < 0 ? order : part === 'above' ? order.slice(0, at) : order.slice(at));
}

/** Stops what runs. */
export const interrupt = (view: NotebookView) => ask('kernel.interrupt', { path: view.path });

/** Stops one cell: what others run goes on. */
export const interruptCell = (view: NotebookView, cell: string) => ask('kernel.interrupt', { path: view.path, cell });

/** Starts the kernel anew, once the person has said that what it computed may go. */
export async function restart(view: NotebookView): Promise<boolean> {
  return (await mayBeLost(view, 'Restart')) && ask('kernel.restart', { path: view.path });
}

/** Asks the person, if the kernel has computed something. */
function mayBeLost(view: NotebookView, verb: string): boolean | Promise<boolean> {
  const { kernel } = view.runs.getState();
  return !kernel || !hasComputed(kernel) || isSure(view, verb, 'the kernel');
}

/** Whether the end of a kernel would lose something. */
export function hasComputed({ has_run, state }: Pick<NotebookKernel, 'has_run' | 'state'>): boolean {
  return has_run && (state === 'idle' || state === 'busy');
}

/** Asks the person whether what a kernel has computed may go. */
export function isSure({ shown }: NotebookView, verb: string, what: string): Promise<boolean> {
  return new Promise((answer) => shown.setState({ losing: { verb, what, answer } }));
}

/** Starts the kernel anew and runs everything. */
export async function restartAndRunAll(view: NotebookView): Promise<void> {
  if (await restart(view)) runPart(view, 'all');
}

/** Ends the kernel, once the person has said that what it computed may go. */
export async function shutDown(view: NotebookView): Promise<boolean> {
  return (await mayBeLost(view, 'Shut down')) && ask('kernel.shutdown', { path: view.path });
}

/** Starts the notebook's own kernel. */
export const start = (view: NotebookView) => ask('kernel.start', { path: view.path });

/** Starts the kernel of this name; of another that runs, what it computed has to be given up. The same one goes on. */
export async function change(view: NotebookView, kernel: string): Promise<boolean> {
  const goesOn = view.runs.getState().kernel?.kernel?.name === kernel;
  return (goesOn || (await mayBeLost(view, 'Change'))) && ask('kernel.start', { path: view.path, kernel });
}

/** Takes away what those of the cells that can be run put out. */
export function clearOutputs(view: NotebookView, keys: readonly string[]): void {
  const cells = keys.filter((key) => canRun(kindOf(view.observed.doc, key)));
  if (cells.length === 0) return;
  void doAction({ action_type: 'cell.clear_outputs', args: { path: view.path, cells } }, { done: 'Outputs cleared' });
}

/** Gives the running code the line that it waits for. */
export async function answer(view: NotebookView, asked: InputAsked, value: string): Promise<boolean> {
  const { execution, question } = asked;
  try {
    await request('POST', 'notebooks/input', { path: view.path, execution, question, value } satisfies AnswerInput);
    return true;
  } catch (error) {
    toastFailure(failureOf(error));
    return false;
  }
}

/** Takes more of what a run puts out that was held back. */
export async function goOn(view: NotebookView, execution: string): Promise<void> {
  try {
    await request('POST', 'notebooks/go-on', { path: view.path, execution } satisfies GoOn);
  } catch (error) {
    toastFailure(failureOf(error));
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

/** Asks for an action; whether it was done. */
function ask(action_type: string, args: Record<string, unknown>): Promise<boolean> {
  return doAction({ action_type, args });
}

/** Asks for cells to be run; returns why that was not done, or tells the runs. */
async function submit(args: Record<string, unknown>, begun: (executions: unknown) => void): Promise<Failure | null> {
  try {
    const { state, outcome, record } = await submitAction({ action_type: 'cell.run', args });
    learn(record);
    if (outcome?.kind === 'done') begun((outcome.observation.data as { executions?: unknown } | null)?.executions);
    if (state === 'done') return null;
    if (outcome && 'failure' in outcome) return outcome.failure;
    const waits = state === 'awaiting_confirmation';
    return { code: state, message: waits ? WAITS : 'The cells were not run.', data: null };
  } catch (error) {
    return failureOf(error);
  }
}

const WAITS = 'The run is waiting for your approval under “Waiting for you”.';
