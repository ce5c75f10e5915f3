/** Scripts as this window runs them: their arguments, their last findings, and the task of their last run. */
import { create } from 'zustand';
import { untilSynced } from '../documents/unsynced';
import { change, newId, openBeside, useFrames } from '../frames/store';
import { type Pane, panesOf } from '../frames/tree';
import { parseArguments } from '../tasks/schema';
import { announce } from '../ui/Announcer';
import { toastFailure } from '../ui/Toast';
import { untilAnswered } from '../wire/actions';
import type { CheckScript, NewScript, ScriptFinding, ScriptFindings, Task, TaskId } from '../wire/gen/types';
import { failureOf, newKey, request } from '../wire/requests';
import type { ScriptTask } from './scriptTask';

/** One script, as far as this window knows. */
export interface ScriptState {
  /** Its arguments as they are written. */
  readonly args: string;
  /** The field for them shows. */
  readonly showsArgs: boolean;
  /** The findings of the last check; null before the first. */
  readonly findings: readonly ScriptFinding[] | null;
  /** The task of the last run or dry run. */
  readonly task: TaskId | null;
  /** A start is on its way. */
  readonly starting: boolean;
}

const NEW: ScriptState = { args: '', showsArgs: false, findings: null, task: null, starting: false };

/** By the path of the script. */
export const useScripts = create<{ readonly scripts: ReadonlyMap<string, ScriptState> }>(() => ({
  scripts: new Map(),
}));

/** The known state of a script, for a component. */
export function useScript(path: string): ScriptState {
  return useScripts(({ scripts }) => scripts.get(path) ?? NEW);
}

/** The same for whoever is no component. */
export function scriptOf(path: string): ScriptState {
  return useScripts.getState().scripts.get(path) ?? NEW;
}

/** Changes what is known of a script. */
export function setScript(path: string, some: Partial<ScriptState>): void {
  useScripts.setState(({ scripts }) => ({
    scripts: new Map(scripts).set(path, { ...NEW, ...scripts.get(path), ...some }),
  }));
}

/** The scripts that are open, each with its text as it is now. */
const texts = new Map<string, () => string>();

/** Notes that a script is open; returns what ends that. */
export function holdText(path: string, read: () => string): () => void {
  texts.set(path, read);
  return () => {
    if (texts.get(path) === read) texts.delete(path);
  };
}

/** The text of an open script; null if it is none, or not open. */
export function textOf(path: string): string | null {
  return texts.get(path)?.() ?? null;
}

/** Says what is wrong with arguments as they are written; null if nothing is. */
export function problemOfArguments(args: string): string | null {
  const parsed = args.trim() === '' ? null : parseArguments(args, null);
  return parsed && 'problem' in parsed ? parsed.problem : null;
}

/** How often each script was checked: only the last answer counts. */
const checks = new Map<string, number>();

/** Checks a text of a script; the server shows the findings as problems of its file. */
export async function check(path: string, source: string): Promise<readonly ScriptFinding[]> {
  const turn = (checks.get(path) ?? 0) + 1;
  checks.set(path, turn);
  const { findings } = await request<ScriptFindings>('POST', 'scripts/check', { source, path } satisfies CheckScript);
  if (checks.get(path) === turn) setScript(path, { findings });
  return findings;
}

/** Checks a script because a person asks for it: says what came of it. */
export async function checkAloud(path: string): Promise<void> {
  try {
    announce(findingWords(await check(path, textOf(path) ?? '')));
  } catch (error) {
    toastFailure(failureOf(error));
  }
}

/** "No problems", "2 problems". */
export function findingWords(findings: readonly ScriptFinding[]): string {
  if (findings.length === 0) return 'No problems';
  return findings.length === 1 ? '1 problem' : `${findings.length} problems`;
}

/** Runs a script with the arguments that are written for it, or only shows what it would do. */
export async function run(path: string, dryRun: boolean): Promise<void> {
  const { args } = scriptOf(path);
  if (problemOfArguments(args) === null)
    return runWith(path, args.trim() === '' ? undefined : JSON.parse(args), dryRun);
  setScript(path, { showsArgs: true });
  announce('The arguments are not valid', 'assertive');
}

/** The same with these arguments; what comes of it shows beside the script, or in the place of the run that it follows. */
export async function runWith(path: string, args: unknown, dryRun: boolean, from?: ScriptTask): Promise<void> {
  if (scriptOf(path).starting) return;
  setScript(path, { starting: true });
  try {
    await untilSynced();
    const source = textOf(path);
    // What the person has seen is what may happen: a change that the dry run did not show pauses the run.
    const shown = from?.script.dry_run && !dryRun ? { shown: from.task.id } : {};
    const given = { ...(source !== null && { source }), ...(args !== undefined && { args }), ...shown };
    const body: NewScript = { path, ...given, dry_run: dryRun, idempotency_key: newKey() };
    const { task } = await untilAnswered(() => request<ScriptTask>('POST', 'scripts', body));
    if (from) setScript(path, { task: from.task.id });
    began(path, task);
  } catch (error) {
    toastFailure(failureOf(error));
  } finally {
    setScript(path, { starting: false });
  }
}

function began(path: string, { id }: Task): void {
  const before = scriptOf(path).task;
  setScript(path, { task: id });
  showRun(id, before);
}

/** Shows a run beside its script, in the place of the run before. */
export function showRun(task: TaskId, before: TaskId | null = null): void {
  const old = before === null || before === task ? undefined : tabOf(before);
  if (!old) return openBeside({ kind: 'task', task }, { focus: false });
  const { focused } = useFrames.getState().frames;
  change({ type: 'open', tab: { id: newId('tab'), view: { kind: 'task', task } }, pane: old.pane.id });
  change({ type: 'close', tab: old.tab });
  change({ type: 'focus', pane: focused });
}

/** The tab of a task, with its pane. */
function tabOf(task: TaskId): { tab: string; pane: Pane } | undefined {
  for (const pane of panesOf(useFrames.getState().frames.root)) {
    const tab = pane.tabs.find(({ view }) => view.kind === 'task' && view.task === task);
    if (tab) return { tab: tab.id, pane };
  }
  return undefined;
}
