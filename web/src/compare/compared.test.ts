import { expect, it } from 'vitest';
import { comparisonTitle, readComparison, writeComparison } from './compared';
import { notebookLines } from './notebookText';
import { textIn, withHunks } from './texts';

it('a link names both sides', () => {
  const comparison = { from: { path: 'a&b/ü.py', version: 'ver_1' }, to: { path: 'c.py' } };
  expect(readComparison(writeComparison(comparison))).toEqual(comparison);
  expect(readComparison('')).toEqual({ from: { path: '' }, to: { path: '' } });
});

it('a tab names what differs', () => {
  const title = (from: string, to: string) =>
    comparisonTitle(writeComparison({ from: { path: from }, to: { path: to } }));
  expect(title('x/a.py', 'x/b.py')).toBe('a.py ↔ b.py');
  expect(title('x/a.py', 'y/a.py')).toBe('x/a.py ↔ y/a.py');
  expect(title('x/a.py', 'x/a.py')).toBe('a.py: versions');
});

it('a version is rebuilt from its changes', () => {
  const now = 'one\ntwo\nthree\nfour\n';
  const hunks = [
    { start: 2, old: ['two'], new: ['TWO', 'more'] },
    { start: 4, old: ['four'], new: [] },
    { start: 5, old: [], new: ['end'] },
  ];
  expect(withHunks(now, hunks)).toBe('one\nTWO\nmore\nthree\nend\n');
  expect(withHunks(now, [{ start: 2, old: ['other'], new: [] }])).toBeNull();
  expect(withHunks('', [{ start: 1, old: [], new: ['x'] }])).toBe('x\n');
});

it('bytes are text unless they have a zero', () => {
  expect(textIn(new TextEncoder().encode('ü\r\n'))).toBe('ü\r\n');
  expect(textIn(Uint8Array.of(0x63, 0xe9))).toBe('cé');
  expect(textIn(Uint8Array.of(0xff, 0xfe, 0x61, 0x00))).toBe('a');
  expect(textIn(Uint8Array.of(1, 0, 2))).toBeNull();
});

it('a notebook is compared by its cells', () => {
  const notebook = {
    cells: [
      { cell_type: 'markdown', id: 'a', source: ['# Tides\n', 'Text'] },
      { cell_type: 'code', source: 'x = 1', outputs: [{ text: 'long' }] },
    ],
  };
  expect(notebookLines(JSON.stringify(notebook))).toBe('# %% [markdown] a\n# Tides\nText\n\n# %% [code] 2\nx = 1\n');
  expect(notebookLines('{"cells": 3}')).toBeNull();
  expect(notebookLines('no')).toBeNull();
});
