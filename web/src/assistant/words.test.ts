import { expect, test } from 'vitest';
import { becauseOf, reasonWords } from './words';

test('says who restricts it', () => {
  const because = [{ by: 'organisation' as const, restriction: { level: 'off' as const } }];
  expect(becauseOf({ level: 'off', because, restrictions: because })).toBe('Off: your organisation says so.');
  const own = [{ by: 'user' as const, restriction: { level: 'partial' as const } }];
  expect(becauseOf({ level: 'partial', because: own, restrictions: own })).toBe('Explain and hint only: you say so.');
  expect(becauseOf({ level: 'full', because: [], restrictions: [] })).toBe('Full.');
});

test('a mistake is told with the restriction that stands for it', () => {
  const reason = { by: 'workspace' as const, restriction: { level: 'off' as const }, mistake: 'a:1: no' };
  expect(reasonWords(reason)).toBe('Off, this folder’s aside-policy.toml (a mistake: a:1: no)');
});
