// The filters in the text of a search. The text is the only place that has them: a chip writes there. Pure.
import type { SearchKind } from '../wire/gen/types';

/** The filters that have a chip. */
export type FilterName = 'kind' | 'tag' | 'path' | 'has' | 'before' | 'after';

/** The kinds of documents, with their names. */
export const KINDS: readonly { kind: SearchKind; name: string }[] = [
  { kind: 'note', name: 'Notes' },
  { kind: 'notebook', name: 'Notebooks' },
  { kind: 'code', name: 'Code' },
  { kind: 'text', name: 'Text' },
  { kind: 'pdf', name: 'PDFs' },
  { kind: 'thread', name: 'Threads' },
  { kind: 'chat', name: 'Chats' },
];

const WORD = /-?[a-z]+:"[^"]*"|-?"[^"]*"|\S+/gi;
const FILTER = /^-?(kind|tag|path|has|before|after):/i;
const DAY = /^\d{4}-\d{1,2}-\d{1,2}$/;

/** The value of a filter; undefined if the text has none of that name. */
export function filterIn(text: string, name: FilterName): string | undefined {
  const word = wordsOf(text).find((each) => each.toLowerCase().startsWith(`${name}:`));
  return word?.slice(name.length + 1).replace(/^"(.*)"$/, '$1');
}

/** The text with a filter in place of those of its name; without a value it waits for one at the end. */
export function withFilter(text: string, name: FilterName, value: string): string {
  const rest = withoutFilter(text, name);
  const written = /\s/.test(value) ? `"${value}"` : value;
  return `${rest === '' ? '' : `${rest} `}${name}:${written}${value === '' ? '' : ' '}`;
}

/** The text without the filters of a name. */
export function withoutFilter(text: string, name: FilterName): string {
  return without(text, (word) => word.toLowerCase().startsWith(`${name}:`));
}

/** The text without all filters. */
export function wordsOnly(text: string): string {
  return without(text, (word) => FILTER.test(word));
}

/** The regular expression in a text; null if there is none. */
export function expressionIn(text: string): string | null {
  return /(?:^|\s)\/((?:[^/\\]|\\.)+)\/(?=\s|$)/.exec(text)?.[1] ?? null;
}

/** The text to ask for now: a filter that has no value yet, or half a day, is left out. */
export function askedIn(text: string): string {
  return without(text, (word) => {
    const [, name] = FILTER.exec(word) ?? [];
    if (name === undefined) return false;
    const value = word.slice(word.indexOf(':') + 1);
    return value === '' || (/^(before|after)$/i.test(name) && /^[\d-]*$/.test(value) && !DAY.test(value));
  });
}

function without(text: string, isLeftOut: (word: string) => boolean): string {
  const words = wordsOf(text);
  return words.some(isLeftOut) ? words.filter((word) => !isLeftOut(word)).join(' ') : text.trim();
}

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];
