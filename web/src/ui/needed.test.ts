import { afterEach, expect, it, vi } from 'vitest';
import { needed, wanted } from './needed';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page whose server answers, or does not; returns what loads it again. */
function page(ok: boolean) {
  const kept = new Map<string, string>();
  const reload = vi.fn();
  vi.stubGlobal('fetch', () => (ok ? Promise.resolve({ ok }) : Promise.reject(new Error('no network'))));
  vi.stubGlobal('location', { href: 'http://here/', reload });
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
  return reload;
}

it('asks again for what could not be loaded, ever more slowly', async () => {
  vi.useFakeTimers();
  const reload = page(false);
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
  expect(reload).not.toHaveBeenCalled();
});

it('loads the window again where the server answers and the browser does not ask it, and seldom', async () => {
  vi.useFakeTimers();
  const reload = page(true);
  void needed(() => Promise.reject(new Error('Failed to fetch')));
  await vi.advanceTimersByTimeAsync(300);
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(600);
  expect(reload).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reload).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reload).toHaveBeenCalledTimes(2);
});

it('optional parts never reload the window', async () => {
  vi.useFakeTimers();
  const reload = page(true);
  const load = vi.fn(() => Promise.reject<string>(new Error('Failed to fetch')));
  const part = wanted<string>(load);
  await vi.advanceTimersByTimeAsync(60_000);
  load.mockResolvedValue('here');
  await vi.advanceTimersByTimeAsync(5000);
  expect(await part).toBe('here');
  expect(reload).not.toHaveBeenCalled();
});
