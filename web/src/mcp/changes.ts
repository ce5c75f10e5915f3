/** How a tool differs from what was looked at, as the changes of a file are shown. Pure. */
import type { FileDiff, McpToolChange } from '../wire/gen/types';

/** Lines that stay, shown above and below what changed. */
const AROUND = 3;

/** One change of a tool: all that is between the first and the last line that are others. */
export function diffOf({ tool, before, after }: McpToolChange): FileDiff {
  const old = linesOf(before);
  const now = linesOf(after);
  const start = same(old, now);
  const end = same(old.slice(start).reverse(), now.slice(start).reverse());
  const hunk = {
    part: 0,
    start: start + 1,
    before: old.slice(Math.max(0, start - AROUND), start),
    old: old.slice(start, old.length - end),
    new: now.slice(start, now.length - end),
    after: old.slice(old.length - end).slice(0, AROUND),
    confidence: 'exact',
  } as const;
  const note = before === undefined ? 'New tool.' : after === undefined ? 'Removed tool.' : undefined;
  const kind = before === undefined ? 'created' : after === undefined ? 'deleted' : 'edited';
  return { path: tool, change: { kind }, base: null, hunks: [{ ...hunk }], ...(note && { note }) };
}

function linesOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.split('\n');
}

/** How many lines are the same from the beginning on. */
function same(one: readonly string[], other: readonly string[]): number {
  const shorter = Math.min(one.length, other.length);
  const differs = one.slice(0, shorter).findIndex((line, at) => line !== other[at]);
  return differs === -1 ? shorter : differs;
}
