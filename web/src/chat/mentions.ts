/** Names of people in a text that is written, and in one that is read. Pure. */

/** What is being written after an `@`, and where it begins. */
export interface Begun {
  readonly start: number;
  readonly query: string;
}

/** The name that is begun before the caret, if one is: an `@` at the start of a word, and nothing but a name since. */
export function begunAt(text: string, caret: number): Begun | null {
  const found = /(?:^|[^\p{L}\p{N}])@([\p{L}\p{N}][^@\n]{0,38}|)$/u.exec(text.slice(0, caret));
  if (!found) return null;
  const query = found[1] ?? '';
  return { start: caret - query.length - 1, query };
}

/** Those whose name, or a word of it, begins like the query. */
export function fitting<T extends { name: string }>(people: readonly T[], query: string): T[] {
  const wanted = query.toLowerCase();
  return people.filter(({ name }) => {
    const folded = name.toLowerCase();
    return folded.startsWith(wanted) || folded.split(' ').some((word) => word.startsWith(wanted));
  });
}

/** The text with the name that was begun written out, and where the caret comes. */
export function completed(text: string, caret: number, begun: Begun, name: string): { text: string; caret: number } {
  const before = `${text.slice(0, begun.start)}@${name} `;
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length };
}

/** A piece of a text; `name` if it names somebody with an `@`. */
export interface Piece {
  readonly text: string;
  readonly name: string | null;
}

/** Cuts a text at the names in it; the longer of two that fit is meant. */
export function piecesOf(text: string, names: readonly string[]): Piece[] {
  const known = [...names].sort((one, two) => two.length - one.length).map(escaped);
  if (known.length === 0) return [{ text, name: null }];
  const named = new RegExp(`(?<![\\p{L}\\p{N}])@(${known.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(named)) {
    if (found.index > end) pieces.push({ text: text.slice(end, found.index), name: null });
    pieces.push({ text: found[0], name: found[1] ?? null });
    end = found.index + found[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), name: null });
  return pieces;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
