import { expect, it } from 'vitest';
import { begunAt, completed, fitting, piecesOf } from './mentions';

it('an @ at a word’s start begins mentions', () => {
  expect(begunAt('look @be', 8)).toEqual({ start: 5, query: 'be' });
  expect(begunAt('@', 1)).toEqual({ start: 0, query: '' });
  expect(begunAt('@Ben Mi', 7)).toEqual({ start: 0, query: 'Ben Mi' });
  for (const text of ['mail x@ada', 'no name', '@ben\nthen', '@ , so'])
    expect(begunAt(text, text.length), text).toBeNull();
});

it('people are found by any name part', () => {
  const people = [{ name: 'ada' }, { name: 'Ben Miller' }];
  expect(fitting(people, 'mil')).toEqual([people[1]]);
  expect(fitting(people, 'BEN M')).toEqual([people[1]]);
  expect(fitting(people, '')).toEqual(people);
});

it('completing a name keeps the other text', () => {
  const text = 'see @be please';
  expect(completed(text, 7, { start: 4, query: 'be' }, 'Ben')).toEqual({ text: 'see @Ben please', caret: 9 });
});

it('names are marked whole, longest first', () => {
  const named = (text: string) => piecesOf(text, ['Ada', 'Ada L.', 'x.y']).flatMap(({ name }) => name ?? []);
  expect(named('@ada and @Ada L., mail a@ada.org, @adam, @xzy')).toEqual(['ada', 'Ada L.']);
  expect(piecesOf('@ada!', ['Ada']).map(({ text }) => text)).toEqual(['@ada', '!']);
  expect(piecesOf('@ada', [])).toEqual([{ text: '@ada', name: null }]);
});
