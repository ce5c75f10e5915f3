import { expect, test } from 'vitest';
import type { ScriptChange } from '../wire/gen/types';
import { byFile, countWords, named, pathOf } from './changes';

const change = (action_type: string, args: unknown, more: Partial<ScriptChange> = {}): ScriptChange => ({
  action_type,
  args,
  summary: action_type,
  completeness: 'full',
  asks: false,
  ...more,
});

const edit = change('doc.edit', { path: 'b.md' });
const all = [
  edit,
  change('file.delete', { path: 'a.tmp' }),
  change('doc.edit', {}, { path: 'b.md', completeness: 'partial' }),
  change('shell.run', { argv: ['ls'] }, { completeness: 'opaque' }),
];

test('changes are grouped by file in order', () => {
  expect(byFile(all).map(({ path, changes, completeness }) => [path, changes.length, completeness])).toEqual([
    ['b.md', 2, 'partial'],
    ['a.tmp', 1, 'full'],
    [null, 1, 'opaque'],
  ]);
  expect(countWords(all)).toBe('4 changes in 2 files');
  expect(countWords([edit])).toBe('1 change in 1 file');
  expect(countWords([])).toBe('0 changes');
});

test('a call names its file by its arguments', () => {
  expect(pathOf(change('file.move', { to: 'b', from: 'a' }))).toBe('a');
  expect(pathOf(change('file.move', { to: 'b' }, { path: 'c' }))).toBe('c');
  expect(pathOf(change('x.y', null))).toBeNull();
  expect(pathOf(change('x.y', { path: 7 }))).toBeNull();
});

test('names beyond the first few are counted', () => {
  expect(named(['a', 'b', 'c'], 3, 2)).toBe('a, b and 1 more');
  expect(named(['a', 'b'], 40)).toBe('a, b and 38 more');
  expect(named(['a', 'b'])).toBe('a, b');
});
