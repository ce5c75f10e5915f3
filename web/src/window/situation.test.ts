import { expect, test } from 'vitest';
import { localTime, windowSituation } from './situation';

test('local time has its zone', () => {
  const now = new Date('2026-11-28T23:30:00Z');
  expect(localTime(now, 60)).toBe('2026-11-29T00:30:00+01:00');
  expect(localTime(now, -210)).toBe('2026-11-28T20:00:00-03:30');
  expect(localTime(now, 0)).toBe('2026-11-28T23:30:00+00:00');
});

test('empty window has no tabs', () => {
  expect(windowSituation(new Date(0)).tabs).toEqual([]);
});
