/** What of one line differs from the line it replaces: enough to see a renamed word. Pure. */

/** The differing middle of two lines, as offsets in each. */
export interface Changed {
  readonly from: number;
  readonly oldTo: number;
  readonly newTo: number;
}

/** Returns the middle that differs, or null if the lines have too little in common for that to help. */
export function changedMiddle(old: string, replacement: string): Changed | null {
  const shorter = Math.min(old.length, replacement.length);
  let from = 0;
  while (from < shorter && old[from] === replacement[from]) from++;
  let after = 0;
  while (after < shorter - from && old.at(-1 - after) === replacement.at(-1 - after)) after++;
  if (from + after < shorter / 3) return null;
  while (from > 0 && isInWord(old, from - 1)) from--;
  while (after > 0 && isInWord(old, old.length - after)) after--;
  return { from, oldTo: old.length - after, newTo: replacement.length - after };
}

/** Whole words are marked, and whole characters: a half of a pair counts as part of a word. */
function isInWord(text: string, at: number): boolean {
  return /[\w\u0080-\uffff]/.test(text.charAt(at));
}

/** Pairs the lines of a hunk that stand for each other, if as many come as go. */
export function pairLines(old: readonly string[], replacement: readonly string[]): (Changed | null)[] {
  if (old.length !== replacement.length) return [];
  return old.map((line, index) => changedMiddle(line, replacement[index] ?? ''));
}
