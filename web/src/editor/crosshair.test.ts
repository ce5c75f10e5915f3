// @vitest-environment happy-dom
import { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import { crosshair } from './crosshair';

test('the crosshair comes with the pointer and goes with the key; the key alone draws nothing anew', () => {
  let updates = 0;
  const counted = EditorView.updateListener.of(() => updates++);
  const view = new EditorView({ doc: 'a = 1\n', extensions: [crosshair(), counted], parent: document.body });
  const shown = () => view.dom.classList.contains('cm-rectangular');
  view.contentDOM.dispatchEvent(new KeyboardEvent('keydown', { key: 'Alt', altKey: true, bubbles: true }));
  expect(shown()).toBe(false);
  view.contentDOM.dispatchEvent(new MouseEvent('mousemove', { altKey: true, bubbles: true }));
  expect(shown()).toBe(true);
  view.contentDOM.dispatchEvent(new KeyboardEvent('keyup', { key: 'Alt', bubbles: true }));
  expect(shown()).toBe(false);
  expect(updates).toBe(0);
  view.destroy();
});
