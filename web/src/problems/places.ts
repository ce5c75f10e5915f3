/**
 * Where problems are by now. Programs name lines of the text that they read, which is edited since: who shows that text
 * (`anchors.ts`) knows where they have gone, and whoever uses a line asks here first.
 */
import type { Problem } from '../wire/gen/types';

/** Where a problem is by now, and where it was found, by which it goes on being known. */
export type Place = Pick<Problem, 'line' | 'end_line' | 'found_line'>;

let now: (problem: Problem) => Place | null = () => null;

/** Says who knows where problems have gone; null where it is not known. */
export function placeBy(known: typeof now): void {
  now = known;
}

/** The problem with the lines at which it stands by now. */
export function placed(problem: Problem): Problem {
  const place = now(problem);
  return place ? { ...problem, ...place } : problem;
}
