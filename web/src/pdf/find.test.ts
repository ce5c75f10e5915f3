import { expect, test } from 'vitest';
import { comparable, findOn, firstFrom, MOST_FOUND } from './find';

function found(query: string, ...lines: string[]): string[] {
  const page = { pieces: lines, ends: lines.map(() => true) };
  return findOn(comparable(page), 1, query).map(({ parts }) =>
    parts.map(({ piece, start, end }) => lines[piece]?.slice(start, end)).join('|'),
  );
}

test('words are found without case, accents and ligatures, and shown as they are written', () => {
  expect(found('EFFICIENT', 'an eﬃcient way')).toEqual(['eﬃcient']);
  expect(found('uber', 'Über uber')).toEqual(['Über', 'uber']);
  expect(found('é', 'cafe\u0301')).toEqual(['e\u0301']);
  expect(found('x', 'a😀x')).toEqual(['x']);
});

test('a line end is a blank, and a word broken at it is whole', () => {
  expect(found('two words', 'here two', 'words there')).toEqual(['two|words']);
  expect(found('proposal', 'a propo-', 'sal of mine')).toEqual(['propo|sal']);
  expect(found('  a   b ', 'a  b')).toEqual(['a  b']);
  expect(found('1-2', '1-', '2')).toEqual([]);
});

test('pieces of one line stand together', () => {
  const page = { pieces: ['Hel', 'lo', ' ', 'world'], ends: [false, false, false, false] };
  const [one] = findOn(comparable(page), 3, 'hello world');
  expect(one?.page).toBe(3);
  expect(one?.parts).toEqual([
    { piece: 0, start: 0, end: 3 },
    { piece: 1, start: 0, end: 2 },
    { piece: 2, start: 0, end: 1 },
    { piece: 3, start: 0, end: 5 },
  ]);
});

test('nothing is looked for without words, and no more is found than is gone through', () => {
  expect(found('', 'abc')).toEqual([]);
  expect(found('   ', 'a b')).toEqual([]);
  expect(found('\u0301', 'abc')).toEqual([]);
  expect(found('a', 'a'.repeat(3 * MOST_FOUND))).toHaveLength(MOST_FOUND);
});

test('it begins at the page that is looked at', () => {
  const all = [1, 3, 3, 7].map((page) => ({ page, parts: [] }));
  expect([1, 2, 3, 4, 8].map((page) => firstFrom(all, page))).toEqual([0, 1, 1, 3, 0]);
});
