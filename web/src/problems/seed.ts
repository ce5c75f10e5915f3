/** A problem as a message about it: short words of the person's, and what programs said as data beside them. Pure. */
import type { Focus, Problem, Seed, SeedLog } from '../wire/gen/types';

/** What went wrong, as far as it is known. */
export interface Trouble {
  readonly problem?: Problem;
  /** The first error of the same build, if that is another: what comes after it is often its consequence. */
  readonly first?: Problem;
  /** Where it went wrong, if no program says so: the thread is beside that file, and is shown that place. */
  readonly at?: Focus;
  /** What programs put out; the server keeps the beginning and the end. */
  readonly logs?: readonly SeedLog[];
}

/** The most of one log that goes over the wire, in characters: the server cuts further. */
const LONGEST = 20_000;

/** What the person says with it, shortly: what programs said is no part of their words. */
export function words({ problem }: Trouble, hint: boolean): string {
  const what = problem ? 'this problem' : 'this error';
  return hint ? `Give me a hint about ${what}, not the solution.` : `Help me fix ${what}.`;
}

/** The same as one text, for where no model is there to be asked. */
export function plainText(trouble: Trouble, hint: boolean): string {
  const { problem, first, logs } = seedOf(trouble);
  const before = first ? ['The first error of the same build:', ...said(first)] : [];
  return [
    words(trouble, hint),
    ...(problem ? said(problem) : []),
    ...before,
    ...(logs ?? []).map(({ name, text }) => `${name}:\n${text}`),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function said({ path, line, message, detail }: Problem): string[] {
  const place = path ? `${path}${line === null ? '' : `, line ${line}`}:\n` : '';
  return [`${place}${message}`, detail ?? ''];
}

/** Returns what goes along as data. */
export function seedOf({ problem, first, logs = [] }: Trouble): Seed {
  const cut = ({ name, text }: SeedLog): SeedLog => ({
    name,
    text: text.length > LONGEST ? `${text.slice(0, LONGEST / 4)}\n…\n${text.slice(-LONGEST / 2)}` : text,
  });
  return { ...(problem && { problem }), ...(first && { first }), logs: logs.slice(0, 4).map(cut) };
}

/** Returns the place to look at. */
export function focusOf({ problem, at }: Trouble): Focus | null {
  if (!problem?.path) return at ?? null;
  const { path, line, end_line } = problem;
  if (line === null) return { path };
  return { path, cursor: line, selection: { start: line, end: end_line ?? line } };
}
