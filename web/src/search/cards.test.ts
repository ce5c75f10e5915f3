import { expect, test } from 'vitest';
import type { SearchAnswer, SearchHit } from '../wire/gen/types';
import { cardsOf, merged, placeWords } from './cards';

const hit = (path: string, line: number, kind: SearchHit['kind'] = 'note'): SearchHit => ({
  path,
  kind,
  line,
  title: path,
  headings: [],
  text: '',
  marks: [],
  why: 'words',
});
const answer = (...hits: SearchHit[]): SearchAnswer => ({
  hits,
  index: { state: 'ready', done: 1, of: 1, meaning: { model: 'm', done: 1, of: 1 }, left_out: 0, left_out_files: [] },
});

test('documents stand where their best place does', () => {
  const cards = cardsOf([hit('a.md', 9), hit('b.md', 1), hit('a.md', 2)]);
  expect(cards.map(({ path, first, hits }) => [path, first, hits.map(({ line }) => line)])).toEqual([
    ['a.md', 0, [9, 2]],
    ['b.md', 2, [1]],
  ]);
});

test('quick hits stay below the full answer', () => {
  const both = merged(answer(hit('a.md', 1), hit('b.md', 1)), answer(hit('b.md', 5), hit('c.md', 1)));
  expect(both.hits.map(({ path, line }) => `${path}:${line}`)).toEqual(['b.md:5', 'c.md:1', 'a.md:1']);
  expect(merged(null, answer(hit('a.md', 1))).hits.length).toBe(1);
});

test('places are named by their kind', () => {
  expect(
    [hit('n', 3, 'notebook'), hit('p', 4, 'pdf'), hit('t', 1, 'thread'), hit('c', 5, 'code')].map(placeWords),
  ).toEqual(['Cell 3', 'Page 4', '', 'Line 5']);
});
