// The settings of the editor, followed as long as an editor lives.
import { indentUnit } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers, ViewPlugin } from '@codemirror/view';
import { factsOf } from '../files/kinds';
import { setting, useSettings } from '../settings/values';
import type { FileKind } from '../wire/gen/types';
import { indentGuides } from './guides';
import { indentationOf } from './indentation';

/** Line numbers, word wrap and tabs of a file, as the person has set them. */
export function preferences(kind: FileKind, text: string): Extension {
  const part = new Compartment();
  const now = (text: string) => [
    setting('editor.line_numbers') ? lineNumbers() : [],
    factsOf(kind).wraps || setting('editor.word_wrap') ? EditorView.lineWrapping : indentGuides,
    tabs(kind, text),
  ];
  const follow = (view: EditorView) => ({
    destroy: useSettings.subscribe(() => {
      view.dispatch({ effects: part.reconfigure(now(view.state.doc.toString())) });
    }),
  });
  return [part.of(now(text)), ViewPlugin.define(follow)];
}

/** The columns of a tab, and one level of indentation. */
export function tabs(kind: FileKind, text: string): Extension {
  const spaces = useSettings.getState().set['editor.tab_size'];
  return [EditorState.tabSize.of(setting('editor.tab_size')), indentUnit.of(indentationOf(kind, text, spaces))];
}
