import { expect, test } from 'vitest';
import { editRecord, hunk } from '../testing/records';
import { listed, nextWaiting, stepTo } from './order';

const edit = (id: string) => editRecord([hunk(0, 1, ['a'], ['b'])], {}, id);

test('answered items stay, new ones come last', () => {
  const first = listed([], [edit('a'), edit('b')]);
  expect(first).toEqual(['a', 'b']);
  expect(listed(first, [edit('c'), edit('b')])).toEqual(['a', 'b', 'c']);
  expect(listed(first, [edit('b')])).toBe(first);
});

test('selection moves to the next waiting item', () => {
  const ids = ['a', 'b', 'c'];
  expect(nextWaiting(ids, [edit('a'), edit('c')], 'b')).toBe('c');
  expect(nextWaiting(ids, [edit('a')], 'b')).toBe('a');
  expect(nextWaiting(ids, [], 'b')).toBe(null);
});

test('keys stay within the list', () => {
  expect(stepTo('j', 0, 3)).toBe(1);
  expect(stepTo('ArrowDown', 2, 3)).toBe(2);
  expect(stepTo('k', 0, 3)).toBe(0);
  expect(stepTo('End', 0, 3)).toBe(2);
  expect(stepTo('x', 0, 3)).toBe(null);
  expect(stepTo('j', -1, 0)).toBe(null);
});
