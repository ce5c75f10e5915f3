import { expect, test } from 'vitest';
import { becauseOf, localTime, reasonWords, windowWords } from './words';

test('says who restricts it', () => {
  const because = [{ by: 'organisation' as const, restriction: { level: 'off' as const } }];
  expect(becauseOf({ level: 'off', because, restrictions: because })).toBe('Off, set by your organisation.');
  const own = [{ by: 'user' as const, restriction: { level: 'partial' as const } }];
  expect(becauseOf({ level: 'partial', because: own, restrictions: own })).toBe('Explain and hint only, set by you.');
  expect(becauseOf({ level: 'full', because: [], restrictions: [] })).toBe('Full.');
});

test('an error is shown with its restriction', () => {
  const reason = { by: 'workspace' as const, restriction: { level: 'off' as const }, mistake: 'a:1: no' };
  expect(reasonWords(reason)).toBe('Off, this folder’s aside-policy.toml (error: a:1: no)');
});

test('a time window shows its known ends', () => {
  const [from, until] = [Date.UTC(2026, 11, 1, 9), Date.UTC(2026, 11, 1, 11)];
  expect(windowWords({})).toBe('');
  expect(windowWords({ from })).toMatch(/^ from .*2026/);
  expect(windowWords({ from, until })).toMatch(/^ from .*2026.* until .*2026/);
});

test('a time survives its field', () => {
  const time = new Date(2026, 11, 1, 9, 30).getTime();
  expect(localTime(time)).toBe('2026-12-01T09:30');
  expect(new Date(localTime(time)).getTime()).toBe(time);
});
