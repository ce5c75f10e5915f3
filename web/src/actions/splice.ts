/** Puts pieces of output together; only its end is kept, for the eye. Pure. */

/** The end of what was put out. */
export interface Output {
  readonly text: string;
  /** Where the text starts, in UTF-16 units from the start of all that was put out. */
  readonly from: number;
}

/** As many UTF-16 units are kept. */
const MOST = 64 * 1024;

/** The output once all from `offset` on is replaced by a piece. What was left out in between is not made up. */
export function spliced({ text, from }: Output, offset: number, piece: string): Output {
  const end = from + text.length;
  const joined =
    offset < from || offset > end
      ? { text: piece, from: offset }
      : { text: text.slice(0, offset - from) + piece, from };
  const over = joined.text.length - MOST;
  return over > 0 ? { text: joined.text.slice(over), from: joined.from + over } : joined;
}
