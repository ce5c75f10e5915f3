import { expect, test } from 'vitest';
import type { LineRange, ThreadEdit } from '../wire/gen/types';
import { firstLine, touching } from './editedLines';

function edit(thread: string, action: string, lines: [number, number][], parent: string | null = null): ThreadEdit {
  const ranges = lines.map(([start, end]) => ({ start, end }));
  return { thread, title: thread, turn: 'trn', action, parent, at: 0, summary: '', lines: ranges };
}

const at = (start: number, end = start): LineRange => ({ start, end });

test('an action leads to its first remaining line', () => {
  const edits = [edit('t', 'part', [[9, 9]], 'whole'), edit('t', 'whole', [[12, 14]]), edit('t', 'other', [[1, 2]])];
  expect(firstLine('whole', edits)).toBe(9);
  expect(firstLine('gone', edits)).toBeNull();
});

test('lines lead to each thread’s latest edit', () => {
  const edits = [
    edit('b', '3', [[4, 6]]),
    edit('b', '2', [[5, 5]]),
    edit('a', '1', [
      [1, 2],
      [6, 9],
    ]),
    edit('c', '0', []),
  ];
  expect(touching(at(6), edits).map(({ action }) => action)).toEqual(['3', '1']);
  expect(touching(at(3), edits)).toEqual([]);
});

test('deleted lines lead from both neighbours', () => {
  const gone = [edit('t', '1', [[5, 4]])];
  expect([3, 4, 5, 6].map((line) => touching(at(line), gone).length)).toEqual([0, 1, 1, 0]);
});
