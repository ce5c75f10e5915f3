// Which cells are out of sight because they are under a collapsed heading.
import type * as Y from 'yjs';
import { kindOf, orderOf, sourceText } from './cells';
import { isFolded, setFolded } from './collapsed';
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

/** Cells in order, with what those of them that are collapsed headings hide. */
export function withHidden({ hidden }: Folded, order: readonly string[], keys: readonly string[]): string[] {
  const wanted = new Set(keys);
  let isTaken = false;
  return order.filter((key) => {
    if (!hidden.has(key)) isTaken = wanted.has(key);
    return isTaken || wanted.has(key);
  });
}

/** Opens the headings under which cells have come out of sight that were in it before. */
export function openWhatHides(doc: Y.Doc, { hidden: before }: Folded): void {
  const order = orderOf(doc);
  for (;;) {
    const folded = foldedIn(doc, order);
    const lost = order.find((key) => folded.hidden.has(key) && !before.has(key));
    const heading = lost === undefined ? null : foldingOf(folded, order, lost);
    if (heading === null) return;
    setFolded(doc, heading, false);
  }
}

/** The collapsed heading under which a hidden cell is out of sight: the last one before it that hides any. */
export function foldingOf({ counts }: Folded, keys: readonly string[], key: string): string | null {
  return keys.slice(0, keys.indexOf(key)).findLast((before) => counts.has(before)) ?? null;
}
