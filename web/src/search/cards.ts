// Hits by document, for the eye. Pure.
import type { SearchAnswer, SearchHit } from '../wire/gen/types';

/** A document with its best places. */
export interface HitCard {
  readonly path: string;
  readonly hits: readonly SearchHit[];
  /** The number of its first place among all. */
  readonly first: number;
}

/** One card per document, where its best place stands; the places of a document follow each other. */
export function cardsOf(hits: readonly SearchHit[]): HitCard[] {
  const places = new Map<string, SearchHit[]>();
  for (const hit of hits) places.set(hit.path, [...(places.get(hit.path) ?? []), hit]);
  let first = 0;
  return [...places].map(([path, hits]) => {
    const card = { path, hits, first };
    first += hits.length;
    return card;
  });
}

/** The place of a hit: a line, or the cell of a notebook, the page of a PDF. */
export function placeWords({ kind, line }: SearchHit): string {
  switch (kind) {
    case 'notebook':
      return `Cell ${line}`;
    case 'pdf':
      return `Page ${line}`;
    case 'thread':
    case 'chat':
      return '';
    default:
      return `Line ${line}`;
  }
}

const WHY = { words: 'words', meaning: 'meaning', both: 'words and meaning' } as const;

/** The reason for a hit, in words. */
export const whyWords = ({ why }: SearchHit): string => WHY[why];

/**
 * The quick answer to a text that is being typed, and the full one: the full one decides the order. Documents that only the
 * quick one has found, by the beginning of the last word, stay below.
 */
export function merged(quick: SearchAnswer | null, full: SearchAnswer): SearchAnswer {
  const known = new Set(full.hits.map(({ path }) => path));
  return { ...full, hits: [...full.hits, ...(quick?.hits.filter(({ path }) => !known.has(path)) ?? [])] };
}
