/**
 * Where the changes of a later step of a plan stand in the text as it is, which the earlier steps have not changed yet.
 * Pure.
 */
import type { FileDiff, Hunk, PlanStep, WorkspacePath } from '../wire/gen/types';

/**
 * Places a change that was made for what earlier steps leave in the text before them; null where it stands on lines that
 * one of them changes, or where what one of them does to the file is not known line by line.
 */
export function lifted(hunk: Hunk, path: WorkspacePath, earlier: readonly PlanStep[]): Hunk | null {
  const changing = earlier.filter((step) => touches(step, path));
  if (changing.length === 0) return hunk;
  let start: number | null = hunk.start;
  for (const step of changing.toReversed()) {
    const hunks = editsOf(step, path);
    start = hunks && start !== null ? before({ ...hunk, start }, hunks) : null;
  }
  if (start === null) return null;
  // An anchor would be of another text.
  const { anchor: _, ...rest } = hunk;
  return { ...rest, start };
}

/** Tells whether a step leaves a file, or a folder above it, another than it was. */
function touches({ leaves }: PlanStep, path: WorkspacePath): boolean {
  return leaves.some(({ object }) => path === object.id || path.startsWith(`${object.id}/`));
}

/** The lines that a step changes in a file; null if it does something else with it. */
function editsOf({ preview }: PlanStep, path: WorkspacePath): readonly Hunk[] | null {
  if (preview?.body.kind !== 'diff') return null;
  const ofFile: FileDiff[] = preview.body.files.filter((file) => file.path === path);
  if (ofFile.length === 0 || ofFile.some(({ change, cell }) => change.kind !== 'edited' || cell)) return null;
  return ofFile.flatMap(({ hunks }) => hunks).toSorted((one, two) => one.start - two.start);
}

/** The line at which a change stands before some others were made; null if it stands on one of theirs. */
function before(hunk: Hunk, made: readonly Hunk[]): number | null {
  const { from, to } = standing(hunk);
  let shift = 0;
  for (const each of made) {
    const first = each.start + shift;
    if (to <= first) break;
    if (from < first + each.new.length) return null;
    shift += each.new.length - each.old.length;
  }
  return hunk.start - shift;
}

/** The lines that tell where a change stands: those that go, or those around new ones. */
function standing({ start, old, before: above, after }: Hunk): { from: number; to: number } {
  if (old.length > 0) return { from: start, to: start + old.length };
  return { from: start - above.length, to: start + after.length };
}
