// Thin lines at the indentation of code. A line's guides are a background that its number of levels sets, so that they add no
// elements, and a key changes them only where the indentation changes.
import { getIndentUnit, indentUnit } from '@codemirror/language';
import { EditorState, type Extension, RangeSetBuilder, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Blank lines that are looked through for one with text. */
const BLANKS = 50;

const decorations = new Map<number, Decoration>();

/** The decoration of lines with so many guides: one object each, so that equal lines compare as equal. */
function guided(levels: number): Decoration {
  const known = decorations.get(levels);
  if (known) return known;
  const made = Decoration.line({ class: 'cm-guides', attributes: { style: `--guides: ${levels}` } });
  decorations.set(levels, made);
  return made;
}

/** The columns before the text of a line; null of a blank one. */
export function indentOf(text: string, tabSize: number): number | null {
  let column = 0;
  for (const letter of text) {
    if (letter === ' ') column++;
    else if (letter === '\t') column += tabSize - (column % tabSize);
    else return column;
  }
  return null;
}

/** The columns of a line's guides: a blank line has those that the lines with text around it share. */
export function guideColumns(doc: Text, number: number, tabSize: number): number {
  const own = indentOf(doc.line(number).text, tabSize);
  if (own !== null) return own;
  return Math.min(beside(doc, number, -1, tabSize), beside(doc, number, 1, tabSize));
}

function beside(doc: Text, number: number, step: 1 | -1, tabSize: number): number {
  for (let at = number + step; at >= 1 && at <= doc.lines && Math.abs(at - number) <= BLANKS; at += step) {
    const indent = indentOf(doc.line(at).text, tabSize);
    if (indent !== null) return indent;
  }
  return 0;
}

function guidesOf(state: EditorState, ranges: readonly { from: number; to: number }[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const { doc, tabSize } = state;
  const unit = Math.max(1, getIndentUnit(state));
  let last = 0;
  for (const { from, to } of ranges) {
    for (let at = doc.lineAt(from); at.from <= to; at = doc.line(at.number + 1)) {
      const levels = Math.ceil(guideColumns(doc, at.number, tabSize) / unit);
      if (levels > 0 && at.number > last) builder.add(at.from, at.from, guided(levels));
      last = Math.max(last, at.number);
      if (at.number === doc.lines) break;
    }
  }
  return builder.finish();
}

const plugin = ViewPlugin.fromClass(
  class {
    guides: DecorationSet;
    constructor({ state, visibleRanges }: EditorView) {
      this.guides = guidesOf(state, visibleRanges);
    }
    update({ docChanged, viewportChanged, startState, state, view }: ViewUpdate) {
      const isSame = startState.tabSize === state.tabSize && getIndentUnit(startState) === getIndentUnit(state);
      if (docChanged || viewportChanged || !isSame) this.guides = guidesOf(state, view.visibleRanges);
    }
  },
  { decorations: ({ guides }) => guides },
);

const look = EditorView.theme({
  '.cm-guides': {
    backgroundImage: 'repeating-linear-gradient(to right, var(--guide) 0 1px, transparent 1px var(--guide-step))',
    backgroundRepeat: 'no-repeat',
    backgroundOrigin: 'content-box',
    backgroundSize: 'calc(var(--guides) * var(--guide-step)) 100%',
  },
});

/** The step between two guides, from the width of an indentation. */
const step = EditorView.contentAttributes.compute([indentUnit, EditorState.tabSize], (state) => ({
  style: `--guide-step: ${Math.max(1, getIndentUnit(state))}ch`,
}));

/** Guides at each level of indentation; not for lines that wrap, whose continued text they would cross. */
export const indentGuides: Extension = [plugin, step, look];
