import { createContext } from 'react';
import type { WorkspacePath } from '../wire/gen/types';

/** A text that is a document of its own, not an answer of somebody: the cell of a notebook. */
export interface MarkdownDocument {
  /** The picture of an address, if it came with the document. */
  picture(url: string): string | null;
  /** The picture in the workspace that an address means, from where the document is. */
  file(url: string): WorkspacePath | null;
}

/** The document that is shown, if it is one: its headings stand under nothing, and its markup counts as far as it is harmless. */
export const DocumentContext = createContext<MarkdownDocument | null>(null);
