// A text in pieces, some of them marked. Pure.
import type { Mark } from './api';

/** A piece of a text. */
export interface Piece {
  readonly text: string;
  readonly marked: boolean;
  /** Where it begins. */
  readonly at: number;
}

/** Cuts a text at its marks. Marks outside the text or in another one are left out. */
export function piecesOf(text: string, marks: readonly Mark[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const [from, to] of [...marks].sort(([one], [two]) => one - two)) {
    if (from < at || to > text.length || from >= to) continue;
    if (from > at) pieces.push({ text: text.slice(at, from), marked: false, at });
    pieces.push({ text: text.slice(from, to), marked: true, at: from });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked: false, at });
  return pieces;
}

/** Characters before the first mark that one line of a narrow list shows. */
const BEFORE = 12;

/** The line without its indentation, and from near its first mark on. */
export function lineFromMark(text: string, marks: readonly Mark[]): { text: string; marks: Mark[] } {
  const start = Math.min(marks[0]?.[0] ?? text.length, text.length);
  const indent = Math.min(start, text.length - text.trimStart().length);
  const isFar = start - indent > BEFORE;
  const cut = isFar ? afterHalf(text, start - BEFORE) : indent;
  const sign = isFar ? '…' : '';
  const by = cut - sign.length;
  return { text: sign + text.slice(cut), marks: marks.map(([from, to]) => [from - by, to - by]) };
}

/** Not between the halves of a character. */
function afterHalf(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at;
}
