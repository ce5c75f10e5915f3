import { createContext } from 'react';
import type { WorkspacePath } from '../wire/gen/types';

/** A text that is a document of its own, not an answer of somebody: the cell of a notebook, a note. */
export interface MarkdownDocument {
  /** The picture of an address, if it came with the document. */
  picture(url: string): string | null;
  /** The picture in the workspace that an address means, from where the document is. */
  file(url: string): WorkspacePath | null;
  /** The note that it is, with all that notes have beyond Markdown. */
  readonly note?: NoteDocument;
}

/** A note that is read. */
export interface NoteDocument {
  readonly path: WorkspacePath;
  /** Ticks the todo that begins at a character of the text, or takes its tick away; null where it can't be changed. */
  readonly toggle: ((at: number) => void) | null;
  /** How many notes it is embedded in. */
  readonly depth: number;
}

/** The document that is shown, if it is one: its headings stand under nothing, and its markup counts as far as it is harmless. */
export const DocumentContext = createContext<MarkdownDocument | null>(null);

/** The first character of a block in the text that is rendered. */
export const BlockStart = createContext(0);
