import { expect, test } from 'vitest';
import { freeName, freeNameOf, join } from './names';

test('taken name gets a number', () => {
  expect(freeNameOf('a.csv', [])).toBe('a.csv');
  expect(freeNameOf('a.csv', ['a.csv', 'a-2.csv'])).toBe('a-3.csv');
  expect(freeNameOf('.env', ['.env'])).toBe('.env-2');
  expect(freeName('untitled', '.ipynb', ['untitled.ipynb'])).toBe('untitled-2.ipynb');
});

test('the workspace itself adds no slash', () => {
  expect([join('', 'a'), join('b', 'a')]).toEqual(['a', 'b/a']);
});
