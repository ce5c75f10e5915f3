// Live preview: Markdown is rendered where it is written, and its source is shown where the cursor is. Nothing of it changes
// the text.
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { noteCompletion } from '../notes/completion';
import { linkHover } from '../notes/hover';
import { notePaste } from '../notes/paste';
import { blockPreview } from './blocks';
import { inlinePreview } from './inline';
import { followTargets } from './links';
import { notePath } from './place';
import { followReveal } from './reveal';
import { previewTheme } from './theme';
import { toggleTodo } from './widgets';

/** The helps of writing a note, however it is shown. */
export function noteWriting(path: string): Extension {
  return [noteCompletion(path), notePaste(path), linkHover(path)];
}

/** The extensions of an editor that shows a note as it is read. */
export function livePreview(path: string): Extension {
  return [
    notePath.of(path),
    followReveal(),
    blockPreview,
    inlinePreview,
    followTargets,
    // Over the look of code.
    Prec.high(previewTheme),
    keymap.of([{ key: 'Mod-Enter', run: (view) => toggleTodo(view, view.state.selection.main.head) }]),
    EditorView.editorAttributes.of({ class: 'cm-md-preview' }),
  ];
}
