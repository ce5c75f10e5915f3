// The keys without which nobody can write code, for as long as what helps who types is not there (`helps.ts`).
import { getIndentation, IndentContext, indentString, indentUnit } from '@codemirror/language';
import { EditorSelection, type Line } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';

/** Begins a line as far in as the language wants it, else as the one before. */
function newLine(editor: EditorView): boolean {
  const { state } = editor;
  const change = state.changeByRange(({ from, to }) => {
    const context = new IndentContext(state, { simulateBreak: from, simulateDoubleBreak: false });
    const before = /^[ \t]*/.exec(state.doc.lineAt(from).text)?.[0] ?? '';
    const wanted = getIndentation(context, from);
    const insert = `${state.lineBreak}${wanted === null ? before : indentString(state, wanted)}`;
    return { changes: { from, to, insert }, range: EditorSelection.cursor(from + insert.length) };
  });
  editor.dispatch(change, { scrollIntoView: true, userEvent: 'input' });
  return true;
}

/** Moves the selected lines one step in. */
function indent(editor: EditorView): boolean {
  return changeLines(editor, ({ from }) => ({ from, insert: editor.state.facet(indentUnit) }));
}

/** Moves the selected lines one step out. */
function dedent(editor: EditorView): boolean {
  const step = editor.state.facet(indentUnit).length;
  return changeLines(editor, ({ from, text }) => {
    const space = /^(?:\t| *)/.exec(text)?.[0] ?? '';
    return { from, to: from + Math.min(step, space.length) };
  });
}

function changeLines({ state, dispatch }: EditorView, change: (line: Line) => { from: number }): boolean {
  const lines = new Map<number, Line>();
  for (const { from, to } of state.selection.ranges) {
    for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
      lines.set(line.from, line);
      if (line.to >= to) break;
    }
  }
  dispatch({ changes: [...lines.values()].map(change), userEvent: 'input.indent' });
  return true;
}

/** Enter and Tab, which else would leave the cell. */
export const plainKeys = keymap.of([
  { key: 'Enter', run: newLine },
  { key: 'Tab', run: indent, shift: dedent },
]);
