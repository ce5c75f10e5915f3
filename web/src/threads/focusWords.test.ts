import { expect, test } from 'vitest';
import { focusWords, scopeWords, withScope } from './focusWords';

const focus = { path: 'src/a.py', cursor: 7, viewport: { start: 1, end: 40 } };
const selected = { ...focus, selection: { start: 3, end: 9 } };

test('says where the person is and what they chose', () => {
  expect(focusWords(focus)).toBe('a.py, line 7');
  expect(focusWords(selected)).toBe('a.py, lines 3–9 selected');
  expect(focusWords({ path: 'a.ipynb', cell: 'k', cursor: 2 })).toBe('a.ipynb, this cell, line 2');
  expect(scopeWords(selected, 'selection')).toBe('a.py, lines 3–9');
  expect(scopeWords(focus, 'viewport')).toBe('a.py, lines 1–40');
  expect(scopeWords(focus, 'whole')).toBe('a.py, all of it');
  expect(scopeWords(focus, 'nothing')).toBe('No file is sent along');
});

test('a selection that is gone is not sent', () => {
  expect(withScope(focus, 'selection')).toEqual(focus);
  expect(withScope(selected, 'selection')).toEqual({ ...selected, scope: 'selection' });
  expect(withScope(selected, 'auto')).toEqual(selected);
  expect(withScope(null, 'whole')).toBeNull();
});
