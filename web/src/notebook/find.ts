// Finding and replacing in all cells. Pure but for the document that is changed.
import type * as Y from 'yjs';
import type { FindOptions } from '../ui/Find';
import { sourceOf, sourceText } from './cells';

/** A text to look for, and how. */
export interface Query extends FindOptions {
  readonly text: string;
}

/** A place where it is, in UTF-16 units of the cell's text. */
export interface Found {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** More are not listed. */
const MOST = 10_000;

/** The expression of a query; null for none, or for one that can't be read. */
export function expressionOf({ text, matchCase, wholeWord, regexp }: Query): RegExp | null {
  if (text === '') return null;
  const words = regexp ? text : text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const source = wholeWord ? `(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])` : words;
  try {
    return new RegExp(source, matchCase ? 'gmu' : 'gimu');
  } catch {
    return null;
  }
}

/** All places in the cells, in order. */
export function findAll(doc: Y.Doc, keys: readonly string[], query: Query): Found[] {
  const found: Found[] = [];
  for (const key of keys) {
    for (const place of placesIn(sourceText(doc, key), query)) {
      found.push({ key, ...place });
      if (found.length === MOST) return found;
    }
  }
  return found;
}

/** The places in one text, in order; what matches nothing is none. */
export function placesIn(text: string, query: Query): Omit<Found, 'key'>[] {
  const expression = expressionOf(query);
  const places: Omit<Found, 'key'>[] = [];
  for (const { 0: words, index } of expression ? text.matchAll(expression) : []) {
    if (words !== '') places.push({ from: index, to: index + words.length });
    if (places.length === MOST) break;
  }
  return places;
}

/** Which of the places is the first from a place on; after the last one the first. */
export function firstFrom(
  found: readonly Found[],
  keys: readonly string[],
  start: Pick<Found, 'key' | 'from'>,
): number {
  const row = keys.indexOf(start.key);
  const after = new Set(keys.slice(row + 1));
  const at = found.findIndex(({ key, from }) => after.has(key) || (key === start.key && from >= start.from));
  return Math.max(0, at);
}

/**
 * Replaces places, all as one change. Where the query is an expression, `$1` stands for a group and `\n` for a line end;
 * the text around a place counts as it was found: an expression may look at it.
 */
export function replace(doc: Y.Doc, places: readonly Found[], query: Query, by: string): void {
  const expression = expressionOf(query);
  if (!expression) return;
  const put = query.regexp ? unescaped(by) : by.replaceAll('$', '$$$$');
  const changes = places.flatMap((place) => {
    const after = replacedAt(sourceText(doc, place.key), place, expression, put);
    return after === null ? [] : [{ ...place, after }];
  });
  doc.transact(() => {
    for (const { key, from, to, after } of changes.reverse()) {
      const source = sourceOf(doc, key);
      source?.delete(from, to - from);
      source?.insert(from, after);
    }
  });
}

/** A replacement with its `\n`, `\r` and `\t` as characters. */
function unescaped(by: string): string {
  const ends: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
  return by.replaceAll(/\\([nrt\\])/g, (_, sign: string) => ends[sign] ?? sign);
}

/** What stands at a place of a text after it was replaced; null if it is not what was looked for. */
function replacedAt(text: string, { from, to }: Found, { source, flags }: RegExp, by: string): string | null {
  const here = new RegExp(source, flags.replace('g', 'y'));
  here.lastIndex = from;
  if (!here.test(text) || here.lastIndex !== to) return null;
  here.lastIndex = from;
  const after = text.replace(here, by);
  return after.slice(from, after.length - (text.length - to));
}
