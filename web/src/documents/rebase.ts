// Puts unsynced changes onto a document that was rebuilt since: its history shares nothing with theirs.
import * as Y from 'yjs';
import { cellsIn, type Parts, partsOf } from './parts';
import { mergeParts, splicesBetween } from './threeWay';

/** Merges the texts by lines; false, and nothing is changed, if they don't fit. */
export function rebase(doc: Y.Doc, base: Parts | null, ours: Parts): boolean {
  const merged = base && mergeParts(base, ours, partsOf(doc));
  if (!merged) return false;
  writeParts(doc, merged);
  return true;
}

function writeParts(doc: Y.Doc, parts: Parts): void {
  const cells = new Map(cellsIn(doc));
  doc.transact(() => {
    for (const [name, wanted] of Object.entries(parts)) {
      const text = name === '' ? doc.getText('text') : cells.get(name)?.get('source');
      if (!(text instanceof Y.Text)) continue;
      for (const { at, remove, insert } of splicesBetween(text.toString(), wanted)) {
        text.delete(at, remove);
        text.insert(at, insert);
      }
    }
  }, 'restored');
}
