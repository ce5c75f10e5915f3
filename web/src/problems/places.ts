/**
 * Where problems are by now. Programs name lines of the text that they read, which is edited since: who shows that text
 * (`anchors.ts`) knows where they have gone, and whoever uses a line asks here first.
 */
import type { Problem } from '../wire/gen/types';

/** A stretch of a text, as problems name it. */
export type Lines = Pick<Problem, 'line' | 'end_line' | 'column' | 'end_column'>;

let now: (problem: Problem) => Lines | null = () => null;

/** What was placed already: its lines are of the text as it was then, and are not gone through once more. */
const there = new WeakSet<Problem>();

/** Says who knows where problems have gone; null where it is not known. */
export function placeBy(known: typeof now): void {
  now = known;
}

/** The problem with the lines at which it stands by now. */
export function placed(problem: Problem): Problem {
  const lines = there.has(problem) ? null : now(problem);
  if (!lines) return problem;
  const moved = { ...problem, ...lines };
  there.add(moved);
  return moved;
}
