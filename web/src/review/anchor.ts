/** Finds where an anchor of the server is in the live document. */
import * as Y from 'yjs';
import type { HunkAnchor } from '../wire/gen/types';

/** The offset of an anchor's start in the text it was made for; null if it is not of this document. */
export function resolveAnchor(doc: Y.Doc, anchor: HunkAnchor): number | null {
  try {
    const relative = Y.decodeRelativePosition(bytesOf(anchor.start));
    return Y.createAbsolutePositionFromRelativePosition(relative, doc)?.index ?? null;
  } catch {
    return null;
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
