import { afterEach, expect, it, vi } from 'vitest';
import { needed } from './needed';

afterEach(() => void vi.useRealTimers());

it('asks again for what could not be loaded, ever more slowly', async () => {
  vi.useFakeTimers();
  const load = vi.fn(() => Promise.reject<string>(new Error('Failed to fetch')));
  const part = needed<string>(load);
  await vi.advanceTimersByTimeAsync(300);
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(600);
  expect(load).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(60_000);
  const asked = load.mock.calls.length;
  load.mockResolvedValue('here');
  await vi.advanceTimersByTimeAsync(5000);
  expect(load).toHaveBeenCalledTimes(asked + 1);
  expect(await part).toBe('here');
});
