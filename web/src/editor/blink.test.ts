// @vitest-environment happy-dom
import { EditorView } from '@codemirror/view';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { blink } from './blink';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the cursor blinks only after a rest', () => {
  const view = new EditorView({ doc: 'a = 1\n', extensions: blink, parent: document.body });
  const rests = () => view.dom.hasAttribute('data-rests');
  const type = () => view.dispatch({ changes: { from: 0, insert: 'b' }, selection: { anchor: 1 } });
  expect(rests()).toBe(false);
  vi.advanceTimersByTime(500);
  expect(rests()).toBe(true);
  type();
  expect(rests()).toBe(false);
  vi.advanceTimersByTime(400);
  type();
  vi.advanceTimersByTime(400);
  expect(rests()).toBe(false);
  vi.advanceTimersByTime(100);
  expect(rests()).toBe(true);
  view.destroy();
});
