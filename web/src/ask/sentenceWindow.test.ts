// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { toggleRegion } from '../app/shell';
import { openFile } from '../frames/store';
import { keepCell } from '../notebook/lastCell';
import { takeSettings } from '../settings/values';
import { localTime } from '../window/situation';
import { sentenceWindow } from './sentenceWindow';

beforeEach(() => {
  sessionStorage.clear();
  takeSettings({});
});

test('the clock has the offset of the person', () => {
  const at = (offset: number) => localTime(new Date('2026-03-01T14:30:00Z'), -offset);
  expect(at(-540)).toBe('2026-03-01T23:30:00+09:00');
  expect(at(0)).toBe('2026-03-01T14:30:00+00:00');
  expect(at(210)).toBe('2026-03-01T11:00:00-03:30');
});

test('the window tells its tabs, cell and parts', () => {
  openFile('plan.md');
  openFile('lab.ipynb');
  keepCell('plan.md', 'no cell');
  keepCell('lab.ipynb', 'two');
  toggleRegion('nav', true);
  takeSettings({ 'window.theme': 'dark' });
  const { tabs, cell, layout } = sentenceWindow();
  expect(tabs.map(({ path, active }) => [path, active])).toEqual([
    ['plan.md', false],
    ['lab.ipynb', true],
  ]);
  expect(cell).toEqual({ path: 'lab.ipynb', key: 'two' });
  expect(layout).toMatchObject({ sidebar: true, dark: true });
});
