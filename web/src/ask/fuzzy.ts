/**
 * Ranks names against what was typed. Each word of the query has to be in the name: as a run of letters, or in pieces that
 * each begin a word of it ("sr" in "Split right"). Scattered letters match nothing. Pure.
 */

/** How well a name fits, and which of its letters were meant. */
export interface Match {
  readonly score: number;
  /** Indices into the name, ascending. */
  readonly at: readonly number[];
}

/** The whole name, or the whole last part of a path. */
const EXACT = 400;
/** The name begins with the whole query. */
const BEGINS = 160;
const WHOLE_WORD = 100;
const WORD_START = 70;
const PIECES = 45;
const INSIDE = 15;
const IN_LAST_PART = 40;
const AT_NAME_START = 25;
const IN_ORDER = 10;

/** Letters from which on a run may begin within a word: "book" is in "notebook", "oo" is in too many words. */
const FEWEST_INSIDE = 3;

/** Words of titles that an abbreviation passes over. */
const SMALL = new Set(['a', 'all', 'an', 'and', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'this', 'to', 'with']);

/** Returns how a name fits, or null if a word of the query is not in it. Blanks in the query separate words. */
export function match(query: string, name: string): Match | null {
  const words = wordsOf(query);
  if (words.length === 0) return { score: 0, at: [] };
  return matchWords(words, nameOf(name));
}

interface Name {
  readonly text: string;
  /** In lower case, letter for letter. */
  readonly lower: string;
  /** Where the last part of a path begins. */
  readonly base: number;
  /** Where its words begin, once somebody has asked. */
  starts: readonly number[] | null;
}

/** Names that were looked at: the same ones come with every letter that is typed. */
const seen = new Map<string, Name>();
const MOST_SEEN = 100_000;

function nameOf(text: string): Name {
  const known = seen.get(text);
  if (known) return known;
  const lower = text.toLowerCase();
  const base = text.lastIndexOf('/') + 1;
  const name = { text, lower: lower.length === text.length ? lower : text, base, starts: null };
  if (seen.size >= MOST_SEEN) seen.clear();
  seen.set(text, name);
  return name;
}

function startsOf(name: Name): readonly number[] {
  name.starts ??= run(0, name.text.length).filter((index) => startsWord(name.text, index));
  return name.starts;
}

function wordsOf(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function matchWords(words: readonly string[], name: Name): Match | null {
  let score = 0;
  let last = -1;
  const taken = new Set<number>();
  for (const word of words) {
    const found = matchWord(word, name, taken);
    if (!found) return null;
    score += found.score;
    const first = found.at[0] as number;
    if (first > last) score += IN_ORDER;
    last = first;
    for (const index of found.at) taken.add(index);
  }
  score = score / words.length + bonus(words.join(' '), name);
  // Among names that fit alike, a much shorter one is the likelier.
  return { score: score - Math.floor(name.text.length / 8), at: [...taken].sort((one, two) => one - two) };
}

/** A name that is the query, or begins with it, comes before all others. */
function bonus(query: string, { lower, base }: Name): number {
  const last = lower.slice(base).replace(/…$/, '');
  const stem = last.replace(/(?<=.)\.[^.]*$/, '');
  if (lower === query || last === query || stem === query) return EXACT;
  if (lower.startsWith(query) || last.startsWith(query)) return BEGINS;
  return 0;
}

/** The best place of a word: the beginning of a word, then pieces at the beginnings of several, then within a word. */
function matchWord(word: string, name: Name, taken: ReadonlySet<number>): Match | null {
  const { lower, text, base } = name;
  let best: Match | null = null;
  let inside = -1;
  for (let index = lower.indexOf(word); index >= 0; index = lower.indexOf(word, index + 1)) {
    if (taken.has(index)) continue;
    if (!startsWord(text, index)) {
      if (inside < base) inside = index;
      continue;
    }
    const end = index + word.length;
    const whole = end === lower.length || !isLetter(lower[end] as string) || startsWord(text, end);
    const score = (whole ? WHOLE_WORD : WORD_START) + placeScore(index, base);
    if (!best || score > best.score) best = { score, at: run(index, word.length) };
  }
  if (best) return best;
  const pieces = word.length > 1 ? (inPieces(word, name, base) ?? (base > 0 ? inPieces(word, name, 0) : null)) : null;
  if (pieces) return { score: PIECES + placeScore(pieces[0] as number, base), at: pieces };
  if (inside < 0 || word.length < FEWEST_INSIDE) return null;
  return { score: INSIDE + placeScore(inside, base), at: run(inside, word.length) };
}

function placeScore(index: number, base: number): number {
  return (index >= base ? IN_LAST_PART : 0) + (index === base || index === 0 ? AT_NAME_START : 0);
}

function run(start: number, length: number): number[] {
  return Array.from({ length }, (_, index) => start + index);
}

/** Spells a word with beginnings of the name's words, one after the other. Only small words and folders are passed over. */
function inPieces(word: string, name: Name, from: number): number[] | null {
  const { lower, base } = name;
  if (!hasLetters(word, lower, from)) return null;
  const starts = startsOf(name).filter((start) => start >= from);
  const mayPass = (start: number) => start < base || SMALL.has(wordAt(name, start));
  const spell = (letter: number, at: number): number[] | null => {
    if (letter === word.length) return [];
    for (let next = at; next < starts.length; next++) {
      const start = starts[next] as number;
      for (let length = common(word, letter, lower, start); length > 0; length--) {
        const rest = spell(letter + length, next + 1);
        if (rest) return [...run(start, length), ...rest];
      }
      if (letter > 0 && !mayPass(start)) return null;
    }
    return null;
  };
  const at = spell(0, 0);
  // One run is no abbreviation.
  const isRun = at !== null && (at.at(-1) as number) - (at[0] as number) === word.length - 1;
  return isRun ? null : at;
}

/** Tells whether all letters are there in their order: quick, and true of few names. */
function hasLetters(word: string, lower: string, from: number): boolean {
  let at = from - 1;
  for (const letter of word) {
    at = lower.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** How many letters of the word, from one on, stand in the name from a place on; at most to the next word. */
function common(word: string, letter: number, lower: string, start: number): number {
  let length = 0;
  while (letter + length < word.length && word[letter + length] === lower[start + length]) {
    if (length > 0 && !isLetter(lower[start + length] as string)) break;
    length++;
  }
  return length;
}

function wordAt({ lower, text }: Name, start: number): string {
  let end = start + 1;
  while (end < lower.length && isLetter(lower[end] as string) && !startsWord(text, end)) end++;
  return lower.slice(start, end);
}

const isLetter = (letter: string) => /[\p{L}\p{N}]/u.test(letter);

function startsWord(name: string, index: number): boolean {
  if (index === 0) return true;
  const before = name[index - 1] as string;
  if (!isLetter(before)) return true;
  const here = name[index] as string;
  if (/\p{Ll}/u.test(before)) return /[\p{Lu}\p{N}]/u.test(here);
  return /\p{N}/u.test(before) && /\p{L}/u.test(here);
}

/** An entry with how it fits. */
export interface Ranked<Entry> {
  readonly entry: Entry;
  readonly at: readonly number[];
  readonly score: number;
}

/** How an entry is looked for beside its name. */
interface Looks<Entry> {
  /** Other words for it; letters of these are not marked. */
  readonly others?: (entry: Entry) => readonly string[];
  /** Points for entries that the person chooses often. */
  readonly bonus?: (entry: Entry) => number;
}

/** An entry found by another word for it comes after one found by its name. */
const OTHER_WORD = 0.6;

/** The best entries, best first; among equals the order given. */
export function rank<Entry>(
  query: string,
  entries: readonly Entry[],
  nameOfEntry: (entry: Entry) => string,
  limit: number,
  { others = () => [], bonus = () => 0 }: Looks<Entry> = {},
): Ranked<Entry>[] {
  const words = wordsOf(query);
  const ranked: Ranked<Entry>[] = [];
  for (const entry of entries) {
    const found = bestOf(words, nameOfEntry(entry), others(entry));
    if (found) ranked.push({ entry, at: found.at, score: found.score + bonus(entry) });
  }
  return ranked.sort((one, two) => two.score - one.score).slice(0, limit);
}

function bestOf(words: readonly string[], name: string, others: readonly string[]): Match | null {
  if (words.length === 0) return { score: 0, at: [] };
  let best = matchWords(words, nameOf(name));
  for (const other of others) {
    const found = matchWords(words, nameOf(other));
    const score = found ? found.score * OTHER_WORD : 0;
    if (found && score > (best?.score ?? 0)) best = { score, at: best?.at ?? [] };
  }
  return best;
}
