import { expect, test, vi } from 'vitest';
import { activate, deactivate, type Reviewer, whenShown } from './store';

test('an editor jumps to its change once', () => {
  vi.useFakeTimers();
  let shows = false;
  const goTo = vi.fn(() => (shows ? 'Change 1 of 2' : null));
  const editor: Reviewer = {
    path: 'plot.py',
    count: () => 2,
    hasCurrent: () => true,
    goTo,
    answer: () => null,
    acceptAction: () => {},
    decideAll: async () => {},
  };
  whenShown('plot.py', 'first');
  activate(editor);
  vi.advanceTimersByTime(50);
  expect(goTo).toHaveBeenCalledTimes(1);
  shows = true;
  // It is made the one in use, and has the focus: both are heard of before it is looked again.
  activate(editor);
  activate(editor);
  vi.advanceTimersByTime(100);
  expect(goTo).toHaveBeenCalledTimes(2);
  deactivate(editor);
  vi.useRealTimers();
});
