// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { toggleRegion } from '../app/shell';
import { openFile } from '../frames/store';
import { keepCell } from '../notebook/lastCell';
import { takeSettings } from '../settings/values';
import { localTime, windowSituation } from './situation';

beforeEach(() => {
  sessionStorage.clear();
  takeSettings({});
});

test('local time has its zone', () => {
  const now = new Date('2026-11-28T23:30:00Z');
  expect(localTime(now, 60)).toBe('2026-11-29T00:30:00+01:00');
  expect(localTime(now, -210)).toBe('2026-11-28T20:00:00-03:30');
  expect(localTime(now, 0)).toBe('2026-11-28T23:30:00+00:00');
});

test('an empty window has no tabs', () => {
  expect(windowSituation(new Date(0)).tabs).toEqual([]);
});

test('the window tells its tabs, cell and parts', () => {
  openFile('plan.md');
  openFile('lab.ipynb');
  keepCell('plan.md', 'no cell');
  keepCell('lab.ipynb', 'two');
  toggleRegion('nav', true);
  takeSettings({ 'window.theme': 'dark' });
  const { tabs, cell, layout } = windowSituation();
  expect(tabs.map(({ path, active }) => [path, active])).toEqual([
    ['plan.md', false],
    ['lab.ipynb', true],
  ]);
  expect(cell).toEqual({ path: 'lab.ipynb', key: 'two' });
  expect(layout).toMatchObject({ sidebar: true, dark: true });
});
