// The editor of one cell: the one of files, as high as its text, with the keys of a notebook.
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import { dropCursor, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { yCollab } from 'y-codemirror.next';
import type * as Y from 'yjs';
import { presence } from '../documents/presence';
import { drawnSelection } from '../editor/drawnSelection';
import { setFocus } from '../editor/focus';
import { chosenKeys, idleEscape } from '../editor/keymaps';
import { focusIn, lookingExtension } from '../editor/looking';
import { tabs } from '../editor/preferences';
import { editorTheme } from '../editor/theme';
import { undoKeys } from '../editor/undoKeys';
import type { FileKind } from '../wire/gen/types';
import { kindOf } from './cells';
import { edit, leave, select, splitAt, visibleKeys } from './edits';
import type { Found, Query } from './find';
import { foundMarks } from './foundMarks';
import { type After, runSelected } from './kernel';
import { languageOf } from './language';
import { pictures } from './pictures';
import { only } from './selection';
import { typing } from './typing';
import type { Caret, NotebookView } from './view';
import { kindWord } from './words';

/** What may change while an editor lives. */
interface Configuration {
  readonly language: FileKind;
  readonly lineNumbers: boolean;
  /** Of the cell. */
  readonly kind: string;
}

/** An editor of a cell. */
export interface CellEditor {
  configure(configuration: Configuration): void;
  focus(caret: Caret): void;
  /** Selects a place without taking the keyboard. */
  mark(from: number, to: number): void;
  /** Marks what is looked for, and more the place that was found last. */
  look(query: Query | null, last: Found | null): void;
  destroy(): void;
}

/** Makes the editor of a cell in an element. */
export function cellEditor(view: NotebookView, key: string, source: Y.Text, parent: HTMLElement): CellEditor {
  const [language, changing, helps, found] = [
    new Compartment(),
    new Compartment(),
    new Compartment(),
    new Compartment(),
  ];
  let kind: string | null = null;
  /** What helps who types comes once somebody is in the text. */
  let isEntered = false;
  const help = () => {
    if (editor.dom.isConnected && kind !== null) editor.dispatch({ effects: helps.reconfigure(typing(view, kind)) });
  };
  const state = EditorState.create({
    doc: source.toString(),
    extensions: [
      Prec.highest(notebookKeys(view, key)),
      pictures(view, key),
      helps.of([]),
      always(view, source),
      changing.of([]),
      language.of([]),
      found.of([]),
      lookingExtension((editor) => looked(view, key, editor)),
      attention(view, key, () => {
        if (isEntered) return;
        isEntered = true;
        help();
      }),
    ],
  });
  const editor = new EditorView({ state, parent });
  return {
    configure: (wanted) => {
      editor.dispatch({ effects: changing.reconfigure(changeable(wanted, editor.state.doc.toString())) });
      const isOther = kind !== wanted.kind;
      kind = wanted.kind;
      if (isEntered && isOther) help();
      void languageOf(wanted.language).then((support) => {
        if (editor.dom.isConnected) editor.dispatch({ effects: language.reconfigure(support ?? []) });
      });
    },
    focus: (caret) => {
      if (caret !== null) editor.dispatch({ selection: { anchor: placeOf(editor, caret) }, scrollIntoView: true });
      editor.focus();
    },
    mark: (from, to) => {
      const end = editor.state.doc.length;
      editor.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true });
    },
    look: (query, last) => editor.dispatch({ effects: found.reconfigure(query ? foundMarks(query, last) : []) }),
    destroy: () => editor.destroy(),
  };
}

function placeOf(editor: EditorView, caret: NonNullable<Caret>): number {
  if (typeof caret === 'object') return editor.posAtCoords(caret, false);
  return caret === 'start' ? 0 : editor.state.doc.length;
}

function always(view: NotebookView, source: Y.Text): Extension {
  const { live } = view;
  return [
    Prec.highest(keymap.of([{ key: 'Escape', run: (editor) => idleEscape(editor) && left(view) }])),
    chosenKeys(false),
    highlightSpecialChars(),
    drawnSelection,
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    bracketMatching(),
    EditorView.lineWrapping,
    Prec.high(undoKeys(live.undo)),
    keymap.of([
      // What is open in the text, such as a list of completions, takes it first.
      { key: 'Escape', run: () => left(view) },
    ]),
    yCollab(source, null, { undoManager: live.undo.manager }),
    presence(source, live.awareness),
    cellTheme,
    editorTheme,
  ];
}

function changeable({ language, lineNumbers: numbers, kind }: Configuration, text: string): Extension {
  return [
    tabs(language, text),
    numbers ? lineNumbers() : [],
    // Enter goes into a text. Tab passes it by, or nobody could leave the cell with it.
    EditorView.contentAttributes.of({ tabindex: '-1', 'aria-label': `Text of the cell, ${kindWord(kind)}` }),
  ];
}

/** Says which lines of the cell are looked at, for the assistant. */
function looked({ path }: NotebookView, cell: string, editor: EditorView): void {
  if (!editor.hasFocus) return;
  const { cursor, selection } = focusIn(editor, path);
  setFocus({ path, cell, cursor, ...(selection && { selection }) });
}

/** Tells the notebook which cell has the keyboard. */
function attention(view: NotebookView, key: string, entered: () => void): Extension {
  return EditorView.domEventHandlers({
    focus: () => {
      entered();
      const { selection } = view.shown.getState();
      if (selection.active !== key || selection.mode !== 'edit') view.shown.setState({ selection: only(key, 'edit') });
      return false;
    },
    blur: () => {
      const { selection } = view.shown.getState();
      if (selection.active === key && selection.mode === 'edit') view.shown.setState({ selection: only(key) });
      return false;
    },
  });
}

/** Keys that leave the text: the arrows at its ends go to the next cell. */
function notebookKeys(view: NotebookView, key: string): Extension {
  const split = (editor: EditorView) => {
    splitAt(view, key, editor.state.selection.main.head);
    return true;
  };
  const running = (after: After) => () => {
    view.shown.setState({ selection: only(key) });
    runSelected(view, after);
    return true;
  };
  const past = (step: 1 | -1) => (editor: EditorView) => {
    const { main } = editor.state.selection;
    const line = editor.state.doc.lineAt(main.head).number;
    if (!main.empty || line !== (step > 0 ? editor.state.doc.lines : 1) || !isAtEdge(editor, step)) return false;
    return goTo(view, key, step);
  };
  return keymap.of([
    { key: 'Shift-Enter', run: running('next') },
    { key: 'Ctrl-Enter', run: running('stay') },
    { key: 'Alt-Enter', run: running('insert') },
    { key: 'Ctrl-Shift--', run: split, preventDefault: true },
    { key: 'Ctrl-Shift-_', run: split, preventDefault: true },
    { key: 'Ctrl-m', run: () => left(view) },
    { key: 'ArrowUp', run: past(-1) },
    { key: 'ArrowDown', run: past(1) },
  ]);
}

function left(view: NotebookView): boolean {
  leave(view);
  return true;
}

/** Wrapped lines are walked through before a cell is left. */
function isAtEdge(editor: EditorView, step: 1 | -1): boolean {
  const { main } = editor.state.selection;
  const moved = editor.moveVertically(main, step > 0);
  return moved.head === main.head || editor.coordsAtPos(moved.head)?.top === editor.coordsAtPos(main.head)?.top;
}

function goTo(view: NotebookView, key: string, step: 1 | -1): boolean {
  const order = visibleKeys(view);
  const next = order[order.indexOf(key) + step];
  if (next === undefined) return false;
  if (isShut(view, next)) select(view, only(next));
  else edit(view, next, step > 0 ? 'start' : 'end');
  return true;
}

/** A cell that shows what it says, not its text. */
function isShut({ observed, shown }: NotebookView, key: string): boolean {
  return kindOf(observed.doc, key) === 'markdown' && !shown.getState().sources.has(key);
}

const cellTheme = EditorView.theme({
  '&': { height: 'auto', backgroundColor: 'transparent' },
  '.cm-scroller': { overflow: 'auto hidden' },
  '.cm-content': { padding: '6px 0' },
  '.cm-line': { padding: '0 8px' },
  '.cm-gutters': { backgroundColor: 'transparent' },
});
