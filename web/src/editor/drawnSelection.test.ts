// @vitest-environment happy-dom
import { EditorSelection, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import { drawnSelection } from './drawnSelection';

test('the editor draws selections, the browser a cursor', () => {
  const extensions = [drawnSelection, EditorState.allowMultipleSelections.of(true)];
  const view = new EditorView({ doc: 'a = 1\nb = 2\n', extensions, parent: document.body });
  const isDrawn = () => view.dom.querySelector('.cm-selectionLayer') !== null;
  expect(isDrawn()).toBe(false);
  view.dispatch({ selection: { anchor: 0, head: 5 } });
  expect(isDrawn()).toBe(true);
  view.dispatch({ changes: { from: 0, to: 5 } });
  expect(isDrawn()).toBe(false);
  view.dispatch({ selection: EditorSelection.create([EditorSelection.cursor(0), EditorSelection.cursor(1)]) });
  expect(isDrawn()).toBe(true);
  view.dispatch({ selection: { anchor: 1 } });
  expect(isDrawn()).toBe(false);
  view.destroy();
});
