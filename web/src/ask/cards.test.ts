// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { DEFAULTS } from '../settings/values';
import { cardNamed, cardsOf } from './cards';

test('each card of the default is there', () => {
  expect(cardsOf(DEFAULTS['launcher.cards'])).toEqual(DEFAULTS['launcher.cards'].split(', '));
});

test('the setting says which cards and their order', () => {
  expect(cardsOf('note, .rmd,note , shop, toString')).toEqual(['note', '.rmd']);
  expect(cardsOf('')).toEqual([]);
  expect(cardNamed('.rmd')).toMatchObject({ title: 'rmd file', ending: '.rmd' });
  expect([cardNamed('.'), cardNamed('constructor')]).toEqual([null, null]);
});
