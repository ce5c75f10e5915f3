import { expect, test } from 'vitest';
import { focusWords, partWords, scopeWords, withScope } from './focusWords';

const focus = { path: 'src/a.py', cursor: 7, viewport: { start: 1, end: 40 } };
const selected = { ...focus, selection: { start: 3, end: 9 } };

test('names the place and the chosen scope', () => {
  expect(focusWords(focus)).toBe('a.py, line 7');
  expect(focusWords(selected)).toBe('a.py, lines 3–9 selected');
  expect(focusWords({ path: 'a.ipynb', cell: 'k', cursor: 2 })).toBe('a.ipynb, this cell, line 2');
  expect(scopeWords(selected, 'selection')).toBe('a.py, lines 3–9');
  expect(scopeWords(focus, 'viewport')).toBe('a.py, lines 1–40');
  expect(scopeWords(focus, 'whole')).toBe('a.py, whole file');
  expect(scopeWords(focus, 'nothing')).toBe('No file is sent');
});

test('a selection that is gone is not sent', () => {
  expect(withScope(focus, 'selection')).toEqual(focus);
  expect(withScope(selected, 'selection')).toEqual({ ...selected, scope: 'selection' });
  expect(withScope(selected, 'auto')).toEqual(selected);
  expect(withScope(null, 'whole')).toBeNull();
});

test('names the lines of the automatic scope', () => {
  const part = (at: object, lines: number, bytes = 10 * lines) => partWords({ path: 'a.py', ...at }, { lines, bytes });
  expect(part({ cursor: 12 }, 400)).toBe('whole file');
  expect(part({ cursor: 12 }, 300, 20_000)).toBe('lines 2–22');
  expect(part({ cursor: 5, selection: { start: 500, end: 510 }, viewport: { start: 1, end: 50 } }, 1000)).toBe(
    'lines 490–520',
  );
  expect(part({ cursor: 5, viewport: { start: 300, end: 340 } }, 1000)).toBe('lines 290–350');
  expect(part({}, 1000)).toBe('lines 1–100');
  expect(part({ cursor: 400, viewport: { start: 100, end: 600 } }, 1000)).toBe('lines 350–449');
  expect(part({ cursor: 5000 }, 1000)).toBe('lines 990–1000');
  expect(part({ cell: 'k' }, 10)).toBeNull();
});
