// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { afterPress } from './pressed';

const press = (type: string) => document.dispatchEvent(new Event(type, { bubbles: true }));

test('without a press it happens at once', () => {
  const open = vi.fn();
  afterPress(open);
  expect(open).toHaveBeenCalledOnce();
});

test.each(['pointerup', 'pointercancel'])('it waits for %s', (end) => {
  vi.useFakeTimers();
  const [open, taken] = [vi.fn(), vi.fn()];
  press('pointerdown');
  afterPress(open);
  afterPress(taken)();
  expect(open).not.toHaveBeenCalled();
  press(end);
  vi.runAllTimers();
  expect(open).toHaveBeenCalledOnce();
  expect(taken).not.toHaveBeenCalled();
  vi.useRealTimers();
});
