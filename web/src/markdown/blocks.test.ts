import { expect, test } from 'vitest';
import { forSeeds } from '../testing/random';
import { blocksOf } from './blocks';

test('blank lines part blocks, but not inside fences, lists and indented lines', () => {
  expect(blocksOf('a\n\nb')).toEqual(['a\n\n', 'b']);
  expect(blocksOf('```\nx\n\ny\n```\n\nb')).toEqual(['```\nx\n\ny\n```\n\n', 'b']);
  expect(blocksOf('- a\n\n- b\n\n  more\n\nend')).toEqual(['- a\n\n- b\n\n  more\n\n', 'end']);
  expect(blocksOf('````\n```\n\nx\n````')).toHaveLength(1);
});

test('a text with definitions is one block, so that its references find them', () => {
  expect(blocksOf('see [x]\n\n[x]: https://docs.rs')).toHaveLength(1);
});

test('the blocks joined are the text, and more text changes only the last', () => {
  forSeeds(200, (random) => {
    const text = Array.from({ length: 40 }, () =>
      random.pick(['a', ' ', '\n', '\n\n', '```\n', '- x', '> q', '  ']),
    ).join('');
    expect(blocksOf(text).join('')).toBe(text);
    const earlier = blocksOf(text.slice(0, 50)).slice(0, -1);
    expect(blocksOf(text).slice(0, earlier.length)).toEqual(earlier);
  });
});

test('a text made to be slow is not', () => {
  const start = performance.now();
  blocksOf('[\n'.repeat(60_000));
  expect(performance.now() - start).toBeLessThan(1_000);
});
