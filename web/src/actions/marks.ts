/** Which pieces of a text also stand in content from an untrusted source. Pure. */

/** A piece of a text; marked if untrusted content holds it too. */
export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

/** Splits a text where marked texts occur in it; where two overlap, the first and longest counts. */
export function piecesOf(text: string, marks: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  const wanted = marks.filter((mark) => mark !== '').sort((one, two) => two.length - one.length);
  let from = 0;
  while (from < text.length) {
    const next = firstOf(text, wanted, from);
    if (next === null) break;
    if (next.at > from) pieces.push({ text: text.slice(from, next.at), marked: false });
    pieces.push({ text: next.mark, marked: true });
    from = next.at + next.mark.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), marked: false });
  return pieces;
}

function firstOf(text: string, marks: readonly string[], from: number): { at: number; mark: string } | null {
  let first: { at: number; mark: string } | null = null;
  for (const mark of marks) {
    const at = text.indexOf(mark, from);
    if (at >= 0 && (first === null || at < first.at)) first = { at, mark };
  }
  return first;
}
