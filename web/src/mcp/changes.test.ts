import { expect, test } from 'vitest';
import { diffOf } from './changes';

test('a changed tool shows its changed lines', () => {
  const before = 'a\nb\nc\nd\nold\ne\nf\ng\nh';
  const diff = diffOf({ tool: 'echo', before, after: before.replace('old', 'new\nmore') });
  expect(diff.change.kind).toBe('edited');
  expect(diff.hunks).toMatchObject([
    { start: 5, before: ['b', 'c', 'd'], old: ['old'], new: ['new', 'more'], after: ['e', 'f', 'g'] },
  ]);
});

test('added and removed tools are shown whole', () => {
  expect(diffOf({ tool: 'x', after: 'a\nb' })).toMatchObject({
    note: 'New tool.',
    hunks: [{ start: 1, old: [], new: ['a', 'b'], before: [], after: [] }],
  });
  expect(diffOf({ tool: 'x', before: 'a' })).toMatchObject({ note: 'Removed tool.', hunks: [{ old: ['a'], new: [] }] });
});

test('lines that repeat are counted once', () => {
  const diff = diffOf({ tool: 'x', before: 'a\na', after: 'a\na\na' });
  expect(diff.hunks[0]).toMatchObject({ before: ['a', 'a'], old: [], new: ['a'], after: [] });
});
