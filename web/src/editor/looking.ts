// Which lines of an editor the person is at.
import { EditorView } from '@codemirror/view';
import type { Focus } from '../wire/gen/types';
import type { TextSize } from './focus';

/** Characters of texts whose bytes are not counted one by one. */
const LONG = 64 * 1024;

/** Returns cursor, selection and visible lines, all from 1. */
export function focusIn(view: EditorView, path: string): Focus {
  const { state } = view;
  const { from, to, head } = state.selection.main;
  const focus: Focus = { path, cursor: state.doc.lineAt(head).number, viewport: visibleLines(view) };
  if (from < to) focus.selection = { start: state.doc.lineAt(from).number, end: lastLine(view, from, to) };
  return focus;
}

/** Returns how long its text is; of one that is long anyhow about so. */
export function sizeOf({ state: { doc } }: EditorView): TextSize {
  const lines = doc.line(doc.lines).length === 0 ? doc.lines - 1 : doc.lines;
  return { lines, bytes: doc.length > LONG ? doc.length : new TextEncoder().encode(doc.toString()).length };
}

/** Calls `look` once a frame after the cursor moved, the text changed or it was scrolled. */
export function lookingExtension(look: (view: EditorView) => void) {
  let waiting = false;
  const soon = (view: EditorView) => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      look(view);
    });
  };
  return [
    EditorView.updateListener.of((update) => {
      if (update.selectionSet || update.docChanged || update.focusChanged || update.geometryChanged) soon(update.view);
    }),
    EditorView.domEventHandlers({ scroll: (_event, view) => soon(view) }),
  ];
}

/** A selection that ends at the start of a line does not hold that line. */
function lastLine({ state }: EditorView, from: number, to: number): number {
  const line = state.doc.lineAt(to);
  return to === line.from && line.from > from ? line.number - 1 : line.number;
}

function visibleLines(view: EditorView): Focus['viewport'] {
  const { scrollDOM, state } = view;
  const top = scrollDOM.getBoundingClientRect().top - view.documentTop;
  const first = view.lineBlockAtHeight(Math.max(0, top)).from;
  const last = view.lineBlockAtHeight(Math.max(0, top + scrollDOM.clientHeight)).from;
  return { start: state.doc.lineAt(first).number, end: state.doc.lineAt(last).number };
}
