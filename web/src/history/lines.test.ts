import { expect, test } from 'vitest';
import { diffLines } from './lines';

function shown(before: string, after: string): string {
  const marks = { same: ' ', gone: '-', new: '+', gap: '@' };
  return diffLines(before, after)
    .map(({ kind, text }) => marks[kind] + text)
    .join('|');
}

test('removed and added lines are marked', () => {
  expect(shown('a\nb\nc\n', 'a\nx\nc\n')).toBe(' a|-b|+x| c');
  expect(shown('', 'a\nb')).toBe('+a|+b');
  expect(shown('a\n', '')).toBe('-a');
  expect(shown('one\ntwo\nthree', 'two\nthree\nfour')).toBe('-one| two| three|+four');
  expect(shown('a', 'a')).toBe('');
});

test('unchanged lines far from changes are omitted', () => {
  const long = Array.from({ length: 50 }, (_, line) => `${line}`).join('\n');
  expect(shown(long, long.replace('\n25\n', '\nx\n'))).toBe(
    '@22 unchanged lines| 22| 23| 24|-25|+x| 26| 27| 28|@21 unchanged lines',
  );
  // What comes next is told from what comes later, and one line is not worth a gap.
  expect(shown(long, long.replace('\n5\n', '\nx\n').replace('\n40\n', '\ny\n'))).toBe(
    '@2 unchanged lines| 2| 3| 4|-5|+x| 6| 7| 8|@28 unchanged lines| 37| 38| 39|-40|+y| 41| 42| 43|@6 unchanged lines',
  );
  expect(shown(long, long.replace('\n4\n', '\nx\n'))).toMatch(/^ 0\| 1\| 2\| 3\|-4/);
});
