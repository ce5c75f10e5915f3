// The routes of search. They only read.
import type { Failure } from '../wire/gen/types';
import { request, requestLines } from '../wire/requests';

/** The kind of a document. */
export type SearchKind = 'note' | 'notebook' | 'code' | 'text' | 'pdf' | 'thread' | 'chat';

/** Where something begins and ends in a text, in UTF-16 units. */
export type Mark = [number, number];

/** A place that was found. */
export interface SearchHit {
  path: string;
  kind: SearchKind;
  /** From 1; in a notebook the cell. */
  line: number;
  title: string;
  headings: string[];
  text: string;
  marks: Mark[];
  why: 'words' | 'meaning' | 'both';
}

/** A file of which only the name is searched. */
export interface LeftOutFile {
  path: string;
  reason: string;
}

/** How far the index is. */
export interface SearchIndex {
  state: 'ready' | 'reading';
  done: number;
  of: number;
  meaning: {
    model: string | null;
    done: number;
    of: number;
    /** The reason why it does not go on. */
    problem?: string;
  };
  /** A problem that keeps recent changes from being searched. */
  problem?: string;
  left_out: number;
  left_out_files: LeftOutFile[];
}

/** The hits of a search, the best place first. */
export interface SearchAnswer {
  hits: SearchHit[];
  index: SearchIndex;
}

/** A question to the index. */
export interface SearchQuery {
  query: string;
  limit?: number;
  /** The words may go on. */
  typing?: boolean;
}

/** Text to find in files, and in which. */
export interface FindQuery {
  text: string;
  regex?: boolean;
  match_case?: boolean;
  whole_words?: boolean;
  include?: string[];
  exclude?: string[];
}

/** A line with what was found in it. */
export interface FoundLine {
  line: number;
  text: string;
  marks: Mark[];
}

/** The lines of a file. */
export interface FoundFile {
  path: string;
  lines: FoundLine[];
  /** It has more lines than are listed. */
  more: boolean;
}

/** The end of a search. */
export interface FindDone {
  files: number;
  lines: number;
  looked_through: number;
  more: boolean;
  took_ms: number;
}

/** A line of the answer. */
export type FindAnswer = { file: FoundFile } | { done: FindDone } | { failed: Failure };

/** Searches the index. */
export const searchFor = (query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer> =>
  request('POST', 'search', query, signal);

/** Finds text in files; the files come as they are found. */
export const findInFiles = (query: FindQuery, signal: AbortSignal): AsyncGenerator<FindAnswer> =>
  requestLines('find', query, signal);

/** The route of the documents that are like one. */
export const relatedPathOf = (path: string): string => `search/related?${new URLSearchParams({ path, limit: '8' })}`;
