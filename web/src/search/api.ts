// The routes of search. They only read.
import type { FindInFiles, FindLine, SearchAnswer, SearchQuery } from '../wire/gen/types';
import { request, requestLines } from '../wire/requests';

/** Where something begins and ends in a text, in UTF-16 units. */
export type Mark = [number, number];

/** Searches the index. */
export const searchFor = (query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer> =>
  request('POST', 'search', query, signal);

/** Finds text in files; the files come as they are found. */
export const findInFiles = (query: FindInFiles, signal: AbortSignal): AsyncGenerator<FindLine> =>
  requestLines('find', query, signal);

/** The route of the documents that are like one. */
export const relatedPathOf = (path: string): string => `search/related?${new URLSearchParams({ path, limit: '8' })}`;
