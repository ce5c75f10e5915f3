// Whether models see a cell, as its metadata says: ours, or what the notebooks had that AI cells came from.
import type * as Y from 'yjs';
import { metadataOf, notebookMetadata, parsed, setMetadata } from './cells';

/** Tells whether a person keeps a cell from models. */
export function isHiddenFromAi(doc: Y.Doc, key: string): boolean {
  return (
    parsed(metadataOf(doc, key, 'aside'))?.ai_hidden === true || metadataOf(doc, key, 'aiContextVisible') === 'false'
  );
}

/** Keeps a cell from models, or shows it to them. */
export function setHiddenFromAi(doc: Y.Doc, key: string, hidden: boolean): void {
  const { ai_hidden: _, ...rest } = parsed(metadataOf(doc, key, 'aside')) ?? {};
  const ours = hidden ? { ...rest, ai_hidden: true } : rest;
  doc.transact(() => {
    setMetadata(doc, key, 'aside', Object.keys(ours).length > 0 ? JSON.stringify(ours) : null);
    if (metadataOf(doc, key, 'aiContextVisible') === 'false') setMetadata(doc, key, 'aiContextVisible', null);
  });
}

/** Tells whether an AI cell's question is about the whole notebook, and not only the cells above it. */
export function seesWholeNotebook(doc: Y.Doc, key: string): boolean {
  const own = parsed(metadataOf(doc, key, 'aside'))?.ai_context;
  if (own === 'notebook' || own === 'above') return own === 'notebook';
  return parsed(notebookMetadata(doc, 'aside'))?.ai_context === 'notebook';
}

/** Says what an AI cell's question is about. */
export function setSeesWholeNotebook(doc: Y.Doc, key: string, whole: boolean): void {
  const ours = parsed(metadataOf(doc, key, 'aside')) ?? {};
  setMetadata(doc, key, 'aside', JSON.stringify({ ...ours, ai_context: whole ? 'notebook' : 'above' }));
}
