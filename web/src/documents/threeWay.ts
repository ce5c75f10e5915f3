// Merges unsynced texts into a document that was rebuilt since: by lines, as git does. Pure.
import { diffIndices, mergeDiff3 } from 'node-diff3';
import type { Parts } from './parts';

/** Returns the texts to write, or null if a change does not fit: the texts of both sides differ in the same place. */
export function mergeParts(base: Parts, ours: Parts, theirs: Parts): Parts | null {
  const merged: Record<string, string> = {};
  for (const name of new Set([...Object.keys(base), ...Object.keys(ours)])) {
    const [before, mine, there] = [base[name], ours[name], theirs[name]];
    if (mine === before || mine === there) continue;
    // A cell that was added, deleted or is gone there: nobody can tell where its text belongs.
    if (before === undefined || mine === undefined || there === undefined) return null;
    const text = mergeText(before, mine, there);
    if (text === null) return null;
    if (text !== there) merged[name] = text;
  }
  return merged;
}

/** Merges two versions of a text; null if they changed the same lines differently. */
export function mergeText(base: string, ours: string, theirs: string): string | null {
  if (theirs === base) return ours;
  const { conflict, result } = mergeDiff3(linesOf(ours), linesOf(base), linesOf(theirs), {
    excludeFalseConflicts: true,
  });
  return conflict ? null : result.join('');
}

/** One replacement in a text. */
export interface Splice {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** The replacements that turn one text into another, last place first, so that none moves the next. */
export function splicesBetween(before: string, after: string): Splice[] {
  const [old, wanted] = [linesOf(before), linesOf(after)];
  const starts = [0];
  for (const line of old) starts.push((starts.at(-1) ?? 0) + line.length);
  return diffIndices(old, wanted)
    .map(({ buffer1: [from, count], buffer2: [start, length] }) => {
      const at = starts[from] ?? 0;
      const insert = wanted.slice(start, start + length).join('');
      return { at, remove: (starts[from + count] ?? 0) - at, insert };
    })
    .reverse();
}

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
