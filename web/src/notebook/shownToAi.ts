// Whether models see a cell, as its metadata says: ours, or what the notebooks had that AI cells came from.
import type * as Y from 'yjs';
import { metadataOf, parsed, setMetadata } from './cells';

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
