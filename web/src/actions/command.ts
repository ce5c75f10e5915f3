/** The result of `shell.run`, as its outcome carries it. Pure. */
import type { ActionRecord, FileDiff } from '../wire/gen/types';

/** What came of a command. */
export interface CommandResult {
  /** It ended by itself, and said that all is well. */
  readonly good: boolean;
  /** How it ended, in a word or two. */
  readonly word: string;
  /** How it ended and what else there is to know, in words. */
  readonly summary: string;
  /** The end of what it put out, or all. */
  readonly output: string;
  /** What it put out before that, if anything: by this name it is read. */
  readonly handle: string | null;
  /** Lines of all that is kept. */
  readonly lines: number;
  /** What it changed, line by line. */
  readonly diffs: readonly FileDiff[];
  /** It changed more than the diffs show. */
  readonly cut: boolean;
}

/** Returns the result of a command that ran; null for every other action. */
export function commandResultOf(record: ActionRecord): CommandResult | null {
  const { outcome, envelope } = record;
  if (envelope.action_type !== 'shell.run' || outcome?.kind !== 'done' || !isObject(outcome.observation.data))
    return null;
  const { summary, exit, ended, output, diffs, diffs_cut, more_changed } = outcome.observation.data;
  if (typeof summary !== 'string') return null;
  const { text, cut, handle, lines } = isObject(output) ? output : {};
  return {
    good: ended === 'exited' && exit === 0,
    word: wordOf(ended, exit),
    summary,
    output: typeof text === 'string' ? text : '',
    handle: cut === true && typeof handle === 'string' ? handle : null,
    lines: typeof lines === 'number' ? lines : 0,
    // Made by the server of this page, from its own types.
    diffs: Array.isArray(diffs) ? (diffs as FileDiff[]) : [],
    cut: diffs_cut === true || (typeof more_changed === 'number' && more_changed > 0),
  };
}

function wordOf(ended: unknown, exit: unknown): string {
  if (ended === 'exited')
    return exit === 0 ? 'done' : typeof exit === 'number' ? `exit status ${exit}` : 'ended by a signal';
  return typeof ended === 'string' ? (ENDS[ended] ?? 'interrupted') : 'interrupted';
}

const ENDS: Record<string, string> = {
  stopped: 'stopped',
  timed_out: 'timed out',
  out_of_memory: 'out of memory',
  too_many_processes: 'too many processes',
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
