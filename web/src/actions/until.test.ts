import { expect, test } from 'vitest';
import { untilWords } from './until';

test('says how long it still holds', () => {
  const minutes = (count: number) => untilWords(count * 60_000, 0);
  expect([minutes(0), minutes(0.2), minutes(59), minutes(90), minutes(3 * 24 * 60)]).toEqual([
    'has expired',
    'expires in 1 min',
    'expires in 59 min',
    'expires in 2 h',
    'expires in 3 d',
  ]);
});
