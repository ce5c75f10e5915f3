import { expect, test } from 'vitest';
import { sentence } from './sentence';

test('begins with a capital and ends with a full stop', () => {
  expect(sentence('there is no model to ask')).toBe('There is no model to ask.');
  expect(sentence('Is the model pulled?')).toBe('Is the model pulled?');
  expect(sentence('')).toBe('');
});

test('leaves names, paths and code at the start alone', () => {
  expect(sentence('model.py has changed')).toBe('model.py has changed.');
  expect(sentence('`catalog.search` finds actions by words')).toBe('`catalog.search` finds actions by words.');
});
