/** Finding words on the pages of a PDF. Pure. */

/** The text of a page as it is laid out: what pdf.js puts into one place each, one after the other. */
export interface PageText {
  readonly pieces: readonly string[];
  /** Whether a line ends after the piece. */
  readonly ends: readonly boolean[];
}

/** A stretch of one piece. */
export interface Part {
  piece: number;
  start: number;
  end: number;
}

/** One place where the words were found. */
export interface Found {
  /** From 1. */
  page: number;
  parts: readonly Part[];
}

/** Places that are looked for; a person goes through no more. */
export const MOST_FOUND = 2000;

/** A page as it is compared: without case, accents, ligatures and line ends, and where each letter of that comes from. */
export interface Comparable {
  text: string;
  /** For each letter: its piece, and its place in that. */
  from: readonly (readonly [piece: number, at: number, length: number])[];
}

/** Makes a page ready to be searched. A word that was broken at the end of a line is whole again. */
export function comparable({ pieces, ends }: PageText): Comparable {
  let text = '';
  const from: [number, number, number][] = [];
  const add = (letters: string, piece: number, at: number, length: number) => {
    for (const letter of letters) {
      // Blanks in a row count as one.
      if (letter === ' ' && (text === '' || text.endsWith(' '))) continue;
      text += letter;
      for (let unit = 0; unit < letter.length; unit++) from.push([piece, at, length]);
    }
  };
  for (const [piece, written] of pieces.entries()) {
    let at = 0;
    for (const letter of written) {
      const letters = plain(letter);
      const before = from.at(-1);
      // An accent of its own belongs to the letter before it.
      if (letters === '' && before?.[0] === piece) before[2] = at + letter.length - before[1];
      add(letters, piece, at, letter.length);
      at += letter.length;
    }
    if (!ends[piece]) continue;
    if (/\p{L}-$/u.test(text)) {
      text = text.slice(0, -1);
      from.pop();
    } else add(' ', piece, written.length, 0);
  }
  return { text, from };
}

/** Finds words on one page. */
export function findOn({ text, from }: Comparable, page: number, query: string): Found[] {
  const wanted = plain(query).replace(/ +/g, ' ').trim();
  const found: Found[] = [];
  if (wanted === '') return found;
  for (
    let at = text.indexOf(wanted);
    at >= 0 && found.length < MOST_FOUND;
    at = text.indexOf(wanted, at + wanted.length)
  ) {
    found.push({ page, parts: parts(from.slice(at, at + wanted.length)) });
  }
  return found;
}

/** The found place at or after a page; from the last one on to the first. */
export function firstFrom(found: readonly Found[], page: number): number {
  const at = found.findIndex((one) => one.page >= page);
  return Math.max(at, 0);
}

function parts(letters: readonly (readonly [number, number, number])[]): Part[] {
  const all: Part[] = [];
  for (const [piece, at, length] of letters) {
    const last = all.at(-1);
    if (last?.piece === piece) last.end = Math.max(last.end, at + length);
    else if (length > 0) all.push({ piece, start: at, end: at + length });
  }
  return all;
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s/gu, ' ');
}
