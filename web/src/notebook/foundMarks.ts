// Marks what is looked for in the text of a cell.
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import { type Found, placesIn, type Query } from './find';

const [MARK, HERE] = ['cm-searchMatch', 'cm-searchMatch cm-searchMatch-selected'].map((name) =>
  Decoration.mark({ class: name }),
) as [Decoration, Decoration];

/** All places; the one that was found last stands out. */
export function foundMarks(query: Query, last: Found | null): Extension {
  return EditorView.decorations.compute(['doc'], ({ doc }) => {
    const marks = placesIn(doc.toString(), query).map(({ from, to }) =>
      (from === last?.from && to === last.to ? HERE : MARK).range(from, to),
    );
    return Decoration.set(marks);
  });
}
