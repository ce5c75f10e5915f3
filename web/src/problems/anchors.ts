/**
 * Ties problems to the text that is shown of their file, so that they go where it goes. They are told at the lines where they
 * stand by then: that text is taken for the one that is shown when they are told first.
 */
import * as Y from 'yjs';
import type { Problem } from '../wire/gen/types';
import { type Place, placeBy } from './places';

interface Anchor {
  readonly path: string;
  readonly text: Y.Text;
  /** Where its first line begins, and its last one. */
  readonly first: Y.RelativePosition;
  readonly last: Y.RelativePosition;
}

const anchors = new Map<string, Anchor>();

/** What tells a problem from others, wherever its line goes: where it was found. */
const nameOf = ({ path, source, version, found_line, line, column, message }: Problem) =>
  JSON.stringify([path, source, version, found_line ?? line, column, message]);

/** Ties the problems of a file to the text that is shown of it; what is told no more is let go. */
export function anchor(path: string, text: Y.Text, problems: readonly Problem[]): void {
  // A language server tells of each text anew.
  const told = problems.filter(({ line, source }) => line !== null && source !== 'language_server');
  const names = new Set(told.map(nameOf));
  for (const [name, known] of anchors) if (known.path === path && !names.has(name)) anchors.delete(name);
  const begins = beginsOf(text);
  for (const problem of told) {
    const known = anchors.get(nameOf(problem));
    // The text may have been closed and opened meanwhile: what it is tied to is known in both.
    anchors.set(nameOf(problem), known ? { ...known, text } : tied(path, text, begins, problem));
  }
}

function tied(path: string, text: Y.Text, begins: readonly number[], { line, end_line }: Problem): Anchor {
  const at = (number: number) =>
    Y.createRelativePositionFromTypeIndex(text, begins[Math.min(number, begins.length) - 1] ?? 0);
  return { path, text, first: at(line ?? 1), last: at(end_line ?? line ?? 1) };
}

placeBy((problem: Problem): Place | null => {
  const known = anchors.get(nameOf(problem));
  const doc = known?.text.doc;
  if (!known || !doc) return null;
  const begins = beginsOf(known.text);
  const lineOf = (position: Y.RelativePosition) => {
    const index = Y.createAbsolutePositionFromRelativePosition(position, doc)?.index;
    return index === undefined ? null : begins.findLastIndex((begin) => begin <= index) + 1;
  };
  const [line, end] = [lineOf(known.first), lineOf(known.last)];
  if (line === null || end === null) return null;
  const found_line = problem.found_line ?? problem.line ?? undefined;
  return { line, end_line: problem.end_line === null ? null : Math.max(line, end), found_line };
});

/** Where the lines of a text begin. */
function beginsOf(text: Y.Text): number[] {
  return [0, ...[...text.toString().matchAll(/\n/g)].map(({ index }) => index + 1)];
}
