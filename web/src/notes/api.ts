// The routes about notes and todos. They only read: notes and todos are changed by actions and by typing.
import type {
  CompletionKind,
  NoteCompletions,
  NoteGraph,
  NoteView,
  ResolvedLink,
  TagCount,
  TodoList,
} from '../wire/gen/types';
import { request } from '../wire/requests';

/** How a link is written. */
export type LinkSyntax = 'wiki' | 'markdown';

/** The route of a note and its place among the others; lines that only name it take longer to find. */
export const notePathOf = (path: string, mentions: boolean): string =>
  `notes/of?${new URLSearchParams({ path, mentions: String(mentions) })}`;

/** Reads a note and its links. */
export const readNote = (path: string): Promise<NoteView> => request('GET', notePathOf(path, false));

/** Finds where a link leads; `target` is the part between the brackets. */
export const resolveLink = (from: string, target: string, kind: LinkSyntax): Promise<ResolvedLink> =>
  request('GET', `notes/resolve?${new URLSearchParams({ from, target, kind })}`);

/** A question for completions. */
export interface CompletionQuery {
  readonly kind: CompletionKind;
  readonly text: string;
  readonly from: string;
  /** The note whose headings are wanted. */
  readonly target?: string;
}

/** Finds notes, headings, tags or files by what was typed of them. */
export const completeNote = ({ target, ...query }: CompletionQuery): Promise<NoteCompletions> =>
  request(
    'GET',
    `notes/complete?${new URLSearchParams({ ...query, ...(target !== undefined && { target }), limit: '50' })}`,
  );

/** The route of the notes around one. */
export const graphPathOf = (path: string): string => `notes/graph?${new URLSearchParams({ path, depth: '1' })}`;

/** The route of todos. */
export const todosPathOf = (query: Readonly<Record<string, string>>): string => `todos?${new URLSearchParams(query)}`;

export type { NoteGraph, NoteView, ResolvedLink, TagCount, TodoList };
