import { expect, test } from 'vitest';
import type { FoundFile } from '../wire/gen/types';
import { dismiss, exceptOf, findRows, inOrder, NOTHING_DISMISSED, nextLine } from './findRows';

const file = (path: string, ...lines: number[]): FoundFile => ({
  path,
  lines: lines.map((line) => ({ line, text: `line ${line}`, marks: [] })),
  more: false,
});
const FILES = [file('a.md', 1, 5), file('b.md', 2)];
const NONE: ReadonlySet<string> = new Set();
const ids = (...args: Parameters<typeof findRows>) => findRows(...args).map(({ id }) => id);

test('folded files hide their lines', () => {
  expect(ids(FILES, NONE, NOTHING_DISMISSED)).toEqual(['a.md', 'a.md:1:0', 'a.md:5:1', 'b.md', 'b.md:2:0']);
  expect(ids(FILES, new Set(['a.md']), NOTHING_DISMISSED)).toEqual(['a.md', 'b.md', 'b.md:2:0']);
});

test('dismissed rows are gone and stay unreplaced', () => {
  const [, first, second, other] = findRows(FILES, NONE, NOTHING_DISMISSED);
  if (!first || !second || !other) throw new Error('rows are missing');
  const one = dismiss(NOTHING_DISMISSED, first);
  expect(ids(FILES, NONE, one)).toEqual(['a.md', 'a.md:5:0', 'b.md', 'b.md:2:0']);
  const both = dismiss(dismiss(one, second), other);
  expect(ids(FILES, NONE, both)).toEqual([]);
  expect(exceptOf(both)).toEqual([{ path: 'a.md', lines: [1, 5] }, { path: 'b.md' }]);
});

test('each line of a cell has a row', () => {
  const rows = findRows([file('a.ipynb', 3, 3)], NONE, NOTHING_DISMISSED);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
});

test('files stand by their path', () => {
  expect(inOrder([file('b/x.md'), file('A.md'), file('a/y.md')]).map(({ path }) => path)).toEqual([
    'A.md',
    'a/y.md',
    'b/x.md',
  ]);
});

test('the next line skips files and wraps', () => {
  const rows = findRows(FILES, NONE, NOTHING_DISMISSED);
  expect(nextLine(rows, null, 1)?.id).toBe('a.md:1:0');
  expect(nextLine(rows, 'a.md:5:1', 1)?.id).toBe('b.md:2:0');
  expect(nextLine(rows, 'b.md:2:0', 1)?.id).toBe('a.md:1:0');
  expect(nextLine(rows, 'b.md:2:0', -1)?.id).toBe('a.md:5:1');
  expect(nextLine(rows, 'a.md:1:0', -1)?.id).toBe('b.md:2:0');
  expect(nextLine([], null, 1)).toBeUndefined();
});

test('each of ten thousand lines has a row', () => {
  const many = Array.from({ length: 100 }, (_, at) =>
    file(`${at}.md`, ...Array.from({ length: 100 }, (_, line) => line)),
  );
  expect(findRows(many, NONE, NOTHING_DISMISSED).length).toBe(10_100);
});
