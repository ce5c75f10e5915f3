import { expect, test } from 'vitest';
import { segmentsOf } from './hidden';

function shown(text: string): string {
  return segmentsOf(text)
    .map((segment) => (segment.code ? `<${segment.code}>` : segment.text))
    .join('');
}

test('invisible characters show their code', () => {
  expect(shown('if access\u202e != "user\u2066')).toBe('if access<U+202E> != "user<U+2066>');
  expect(shown('pass\u200bword\ufeff \u001b[31m')).toBe('pass<U+200B>word<U+FEFF> <U+001B>[31m');
  expect(shown('a\u{e0041}b\rc')).toBe('a<U+E0041>b<U+000D>c');
});

test('leaves tabs, accents, other scripts and emoji alone', () => {
  for (const text of ['\tx = "é"', 'שלום', '日本語', '👩‍💻 ❤️ 🎉', '']) expect(shown(text)).toBe(text);
});

test('a joiner between letters shows its code', () => {
  expect(shown('a\u200db')).toBe('a<U+200D>b');
  expect(shown('🎉\u200dx')).toBe('🎉<U+200D>x');
});
