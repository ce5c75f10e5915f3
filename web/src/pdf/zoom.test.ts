import { expect, test } from 'vitest';
import { fitted, stepped } from './zoom';

test('a page fits the width, within reason', () => {
  expect(fitted('width', 636, 612)).toBe(1);
  expect(fitted('width', 30, 612)).toBe(0.25);
  expect(fitted(2, 30, 612)).toBe(2);
});

test('steps go on from any scale and end somewhere', () => {
  expect(stepped(1.1, 1)).toBe(1.25);
  expect(stepped(1.1, -1)).toBe(1);
  expect(stepped(4, 1)).toBe(4);
});
