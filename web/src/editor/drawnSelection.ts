// Who draws selections and cursors: the browser draws a cursor alone, CodeMirror all else.
//
// CodeMirror draws after it has measured the text, so that each key costs a second layout of the page, and one more style
// recalculation. A single cursor looks the same without.
import { Compartment, type EditorSelection, EditorState, type Extension } from '@codemirror/state';
import { drawSelection } from '@codemirror/view';
import { blink } from './blink';

const BY_EDITOR: Extension = [drawSelection(), blink];
const BY_BROWSER: Extension = [];

const drawing = new Compartment();

const isCursor = ({ main, ranges }: EditorSelection): boolean => ranges.length === 1 && main.empty;

/** Draws all selections and cursors, each by what does it best. */
export const drawnSelection: Extension = [
  drawing.of(BY_BROWSER),
  EditorState.transactionExtender.of(({ startState, newSelection }) => {
    const wanted = isCursor(newSelection) ? BY_BROWSER : BY_EDITOR;
    return drawing.get(startState) === wanted ? null : { effects: drawing.reconfigure(wanted) };
  }),
];
