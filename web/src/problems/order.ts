/** The order in which problems are gone through: by file, then by line. Pure. */
import type { Problem } from '../wire/gen/types';

/** A line of a file. */
export interface Place {
  path: string;
  line: number;
}

/** The problem after a place, or before it; from the last one on to the first. Boxes only where nothing graver is. */
export function next(problems: readonly Problem[], from: Place | null, by: 1 | -1): Problem | undefined {
  const placed = problems.filter((problem) => problem.path !== null);
  const grave = placed.filter(({ severity }) => severity === 'error' || severity === 'warning');
  const list = (grave.length > 0 ? grave : placed).toSorted((one, other) => compare(placeOf(one), placeOf(other)));
  const way = by > 0 ? list : list.toReversed();
  return way.find((problem) => from !== null && compare(placeOf(problem), from) * by > 0) ?? way[0];
}

/** The problem that a person means whose cursor is in a line: one of that line, else the gravest, which is the first. */
export function meant(problems: readonly Problem[], cursor: number | undefined): Problem | undefined {
  const isThere = ({ line, end_line }: Problem) =>
    cursor !== undefined && line !== null && line <= cursor && cursor <= (end_line ?? line);
  return problems.find(isThere) ?? problems[0];
}

/** Problems by file, the files in the order of their gravest problem. */
export function byFile(problems: readonly Problem[]): [string, Problem[]][] {
  const files = new Map<string, Problem[]>();
  for (const problem of problems) {
    const path = problem.path ?? '';
    files.set(path, [...(files.get(path) ?? []), problem]);
  }
  return [...files];
}

function placeOf({ path, line }: Problem): Place {
  return { path: path ?? '', line: line ?? 0 };
}

function compare(one: Place, other: Place): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line;
}
