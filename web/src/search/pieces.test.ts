import { expect, test } from 'vitest';
import { forSeeds } from '../testing/random';
import type { Mark } from './api';
import { lineFromMark, piecesOf } from './pieces';

const shown = (text: string, marks: Mark[]) =>
  piecesOf(text, marks)
    .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
    .join('');

test('marks cut the text', () => {
  expect(
    shown('the sea, the sea', [
      [4, 7],
      [13, 16],
    ]),
  ).toBe('the [sea], the [sea]');
  expect(shown('the sea', [])).toBe('the sea');
});

test('wrong marks lose no letter', () => {
  forSeeds(200, (random) => {
    const text = 'añ🌊x y'.repeat(1 + random.below(3));
    const marks = Array.from({ length: random.below(5) }, (): Mark => [random.below(20), random.below(30)]);
    expect(
      piecesOf(text, marks)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});

test('a line begins near its first mark', () => {
  expect(lineFromMark('      return sea', [[13, 16]])).toEqual({ text: 'return sea', marks: [[7, 10]] });
  const long = `${'x'.repeat(100)}sea and more`;
  const { text, marks } = lineFromMark(long, [[100, 103]]);
  expect(text).toBe(`…${'x'.repeat(12)}sea and more`);
  expect(marks.map(([from, to]) => text.slice(from, to))).toEqual(['sea']);
});

test('a cut keeps characters whole', () => {
  const long = `${'🌊'.repeat(40)} sea`;
  const { text } = lineFromMark(long, [[81, 84]]);
  expect(text.isWellFormed()).toBe(true);
});
