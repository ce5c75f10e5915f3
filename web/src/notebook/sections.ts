// Which cells are out of sight because they are under a collapsed heading.
import type * as Y from 'yjs';
import { kindOf, sourceText } from './cells';
import { isFolded } from './collapsed';
import { hiddenBy, levelOf } from './headings';

/** What is hidden, and how much each collapsed heading hides. */
export type Folded = ReturnType<typeof hiddenBy>;

const NOTHING: Folded = { hidden: new Set(), counts: new Map() };

/** Finds it in a notebook. Nobody collapses headings in most of them: then no text is read. */
export function foldedIn(doc: Y.Doc, keys: readonly string[]): Folded {
  if (!keys.some((key) => isFolded(doc, key))) return NOTHING;
  return hiddenBy(
    keys.map((key) => ({ key, level: levelOf(kindOf(doc, key), sourceText(doc, key)), collapsed: isFolded(doc, key) })),
  );
}

/** The collapsed heading under which a hidden cell is out of sight: the last one before it that hides any. */
export function foldingOf({ counts }: Folded, keys: readonly string[], key: string): string | null {
  return keys.slice(0, keys.indexOf(key)).findLast((before) => counts.has(before)) ?? null;
}
