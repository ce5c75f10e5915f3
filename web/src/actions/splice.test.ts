import { expect, test } from 'vitest';
import { spliced } from './splice';

const NOTHING = { text: '', from: 0 };

test('a piece appends, or replaces redrawn output', () => {
  const one = spliced(NOTHING, 0, 'building 10 %');
  expect(spliced(one, 9, '20 %').text).toBe('building 20 %');
  expect(spliced(one, 13, '\ndone').text).toBe('building 10 %\ndone');
});

test('only known output shows after a gap', () => {
  expect(spliced(spliced(NOTHING, 0, 'abc'), 100, 'later')).toEqual({ text: 'later', from: 100 });
});

test('a kept end continues at its place', () => {
  const long = spliced(NOTHING, 0, 'x'.repeat(70_000));
  expect(long).toMatchObject({ from: 70_000 - 65_536 });
  expect(spliced(long, 70_000, 'end').text.endsWith('xend')).toBe(true);
});
