import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gathered } from './gather';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a row of news is acted on once, after it, and what comes later again', () => {
  const run = vi.fn();
  const soon = gathered(run);
  soon();
  soon();
  expect(run).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(run).toHaveBeenCalledTimes(1);
  soon();
  vi.runAllTimers();
  expect(run).toHaveBeenCalledTimes(2);
});
