// What of a cell is collapsed, kept in its metadata as Jupyter does.
import type * as Y from 'yjs';
import { metadataOf, parsed, setMetadata } from './cells';

const HEADING = 'jp-MarkdownHeadingCollapsed';

/** A part that can be hidden. */
export type Part = 'source' | 'outputs';

/** Tells whether a part of a cell is hidden. */
export function isHidden(doc: Y.Doc, key: string, part: Part): boolean {
  if (parsed(metadataOf(doc, key, 'jupyter'))?.[`${part}_hidden`] === true) return true;
  return part === 'outputs' && metadataOf(doc, key, 'collapsed') === 'true';
}

/** Hides a part of a cell, or shows it. */
export function setHidden(doc: Y.Doc, key: string, part: Part, hidden: boolean): void {
  const { [`${part}_hidden`]: _, ...rest } = parsed(metadataOf(doc, key, 'jupyter')) ?? {};
  const value = hidden ? { ...rest, [`${part}_hidden`]: true } : rest;
  doc.transact(() => {
    setMetadata(doc, key, 'jupyter', Object.keys(value).length > 0 ? JSON.stringify(value) : null);
    if (part === 'outputs') setMetadata(doc, key, 'collapsed', null);
  });
}

/** Tells whether what is under the heading of a cell is hidden. */
export function isFolded(doc: Y.Doc, key: string): boolean {
  return metadataOf(doc, key, HEADING) === 'true';
}

/** Hides what is under the heading of a cell, or shows it. */
export function setFolded(doc: Y.Doc, key: string, folded: boolean): void {
  setMetadata(doc, key, HEADING, folded ? 'true' : null);
}
