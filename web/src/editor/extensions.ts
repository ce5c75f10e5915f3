// Where other features add to the editor of a file.
//
//   registerEditorExtension(({ path, live }) => review(path, live.doc))
import type { Extension } from '@codemirror/state';
import type { LiveDocument } from '../documents/provider';

/** What an extension is made for: one editor of one document. */
export interface EditorContext {
  path: string;
  live: LiveDocument;
}

type Make = (context: EditorContext) => Extension;

const makers = new Set<Make>();

/** Adds an extension to every editor that opens from now on; returns what takes it out. */
export function registerEditorExtension(make: Make): () => void {
  makers.add(make);
  return () => makers.delete(make);
}

/** The added extensions for one editor. */
export function addedExtensions(context: EditorContext): Extension {
  return [...makers].map((make) => make(context));
}
