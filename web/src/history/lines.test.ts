import { expect, test } from 'vitest';
import { diffLines } from './lines';

function shown(before: string, after: string): string {
  const marks = { same: ' ', gone: '-', new: '+' };
  return diffLines(before, after)
    .map(({ kind, text }) => marks[kind] + text)
    .join('|');
}

test('lines that are gone and lines that are new', () => {
  expect(shown('a\nb\nc\n', 'a\nx\nc\n')).toBe(' a|-b|+x| c');
  expect(shown('', 'a\nb')).toBe('+a|+b');
  expect(shown('a\n', '')).toBe('-a');
  expect(shown('one\ntwo\nthree', 'two\nthree\nfour')).toBe('-one| two| three|+four');
  expect(shown('a', 'a')).toBe('');
});

test('what is far from a change is left out', () => {
  const long = Array.from({ length: 50 }, (_, line) => `${line}`).join('\n');
  expect(shown(long, long.replace('\n25\n', '\nx\n'))).toBe(' 22| 23| 24|-25|+x| 26| 27| 28');
});
