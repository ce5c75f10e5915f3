/**
 * Ranks names against what was typed: all letters in order, better at the starts of words, in runs, and in the
 * last part of a path. Pure.
 */

/** How well a name fits, and which of its letters were meant. */
export interface Match {
  readonly score: number;
  /** Indices into the name, ascending. */
  readonly at: readonly number[];
}

const RUN = 8;
const WORD_START = 10;
const NAME_START = 14;
const IN_LAST_PART = 3;
const GAP = 1;
const EXACT = 60;

/** Returns how a name fits, or null if it does not have all letters in order. Blanks in the query separate words. */
export function match(query: string, name: string): Match | null {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return { score: 0, at: [] };
  const lower = name.toLowerCase();
  if (lower.length !== name.length) return matchWords(words, name, name);
  return matchWords(words, name, lower);
}

function matchWords(words: readonly string[], name: string, lower: string): Match | null {
  let score = 0;
  const at = new Set<number>();
  for (const word of words) {
    const found = matchWord(word, name, lower);
    if (!found) return null;
    score += found.score;
    for (const index of found.at) at.add(index);
  }
  return { score: score - lower.length / 50, at: [...at].sort((one, two) => one - two) };
}

/** Tries the word as one run first, in the last part of a path before elsewhere; then letter by letter. */
function matchWord(word: string, name: string, lower: string): Match | null {
  const base = lower.lastIndexOf('/') + 1;
  const runs = [wordStartOf(word, name, lower, base), lower.indexOf(word, base), lower.indexOf(word)];
  const start = runs.find((index) => index >= 0);
  if (start !== undefined) return rate(word, name, lower, base, run(start, word.length));
  const scattered = scatter(word, lower, base) ?? scatter(word, lower, 0);
  return scattered && rate(word, name, lower, base, scattered);
}

function wordStartOf(word: string, name: string, lower: string, base: number): number {
  for (let index = lower.indexOf(word, base); index >= 0; index = lower.indexOf(word, index + 1)) {
    if (startsWord(name, index)) return index;
  }
  return -1;
}

function run(start: number, length: number): number[] {
  return Array.from({ length }, (_, index) => start + index);
}

/** The letters from the end backwards, so that they lie close together. */
function scatter(word: string, lower: string, from: number): number[] | null {
  const at: number[] = [];
  let before = lower.length - 1;
  for (let letter = word.length - 1; letter >= 0; letter--) {
    const index = lower.lastIndexOf(word[letter] as string, before);
    if (index < from || before < 0) return null;
    at.unshift(index);
    before = index - 1;
  }
  return at;
}

function rate(word: string, name: string, lower: string, base: number, at: readonly number[]): Match {
  let score = lower.slice(base) === word || lower === word ? EXACT : 0;
  at.forEach((index, letter) => {
    const before = at[letter - 1];
    if (index >= base) score += IN_LAST_PART;
    if (index === base || index === 0) score += NAME_START;
    else if (startsWord(name, index)) score += WORD_START;
    if (before !== undefined) score += before === index - 1 ? RUN : -Math.min(GAP * (index - before - 1), 20);
  });
  return { score, at };
}

function startsWord(name: string, index: number): boolean {
  if (index === 0) return true;
  const before = name[index - 1] as string;
  if (/[^\p{L}\p{N}]/u.test(before)) return true;
  return /\p{Ll}|\p{N}/u.test(before) && /\p{Lu}/u.test(name[index] as string);
}

/** An entry with how it fits. */
export interface Ranked<Entry> {
  readonly entry: Entry;
  readonly at: readonly number[];
  readonly score: number;
}

/** The best entries, best first; among equals the order given. */
export function rank<Entry>(
  query: string,
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  limit: number,
): Ranked<Entry>[] {
  const ranked: Ranked<Entry>[] = [];
  for (const entry of entries) {
    const found = match(query, nameOf(entry));
    if (found) ranked.push({ entry, at: found.at, score: found.score });
  }
  return ranked.sort((one, two) => two.score - one.score).slice(0, limit);
}
