// The texts of a document by name.
import * as Y from 'yjs';

/** The texts of a document: of a file under the empty name, of a notebook by its cells' keys. */
export type Parts = Readonly<Record<string, string>>;

/** The texts of a document as they are now. */
export function partsOf(doc: Y.Doc): Parts {
  const parts: Record<string, string> = {};
  const cells = cellsIn(doc);
  if (cells.length === 0) return { '': doc.getText('text').toString() };
  for (const [key, cell] of cells) {
    const source = cell.get('source');
    if (source instanceof Y.Text) parts[key] = source.toString();
  }
  return parts;
}

/** All that is written in a document: its text, or the texts of its cells in order. */
export function wholeText(doc: Y.Doc): string {
  const cells = cellsIn(doc).map(([, cell]) => cell);
  const sorted = cells.sort((one, other) => (String(one.get('position')) < String(other.get('position')) ? -1 : 1));
  return [doc.getText('text'), ...sorted.map((cell) => cell.get('source'))].map(String).filter(Boolean).join('\n\n');
}

/** The cells of a notebook by their keys; none for a text. */
export function cellsIn(doc: Y.Doc): [string, Y.Map<unknown>][] {
  const cells = [...doc.getMap<unknown>('cells').entries()];
  return cells.filter((entry): entry is [string, Y.Map<unknown>] => entry[1] instanceof Y.Map);
}
