import { expect, test } from 'vitest';
import type { HistoryGroup } from '../wire/gen/types';
import {
  byKind,
  caveat,
  cost,
  costOf,
  courseWords,
  everyDay,
  folderName,
  hourName,
  localDay,
  money,
  offChart,
  sessionName,
  short,
  weekOf,
} from './numbers';

const sums = {
  responses: 1,
  input: 1,
  output: 2,
  cache_read: 3,
  cache_write: 4,
  dollars: 1,
  estimated: 0,
  unpriced: 0,
};

function day(name: string): HistoryGroup {
  return { name, sessions: 1, sums };
}

test('amounts name estimates and missing prices', () => {
  expect([money(0), money(0.001), money(1234.5)]).toEqual(['$0.00', '< $0.01', '$1,234.50']);
  expect(caveat(sums)).toBeNull();
  expect(caveat({ ...sums, estimated: 2, unpriced: 3 })).toBe(
    '2 answers are estimated; 3 answers without a known price are not included',
  );
  expect(caveat({ ...sums, estimated: 1, unpriced: 1 })).toBe(
    '1 answer is estimated; 1 answer without a known price is not included',
  );
  expect([short(999), short(12_345), folderName('/home/me/work/')]).toEqual(['999', '12.3K', 'work']);
});

test('sums mark estimated and unknown prices', () => {
  expect([sums, { ...sums, estimated: 1 }, { ...sums, unpriced: 1 }].map(cost)).toEqual([
    '$1.00',
    '~$1.00',
    '$1.00 + ?',
  ]);
  expect(cost({ dollars: 0, estimated: 0, unpriced: 2 })).toBe('unknown');
  expect(cost({ dollars: 0.001, estimated: 1, unpriced: 0 })).toBe('~ < $0.01');
  const session = { id: 'one', program: 'claude', messages: 1, estimated: false, unpriced: 0 };
  expect([costOf(session), costOf({ ...session, unpriced: 1 })]).toEqual(['no cost', 'unknown']);
  expect(costOf({ ...session, dollars: 2, estimated: true, unpriced: 1 })).toBe('~$2.00 + ?');
  expect(byKind(sums)).toBe('1 input, 2 output, 3 cache read, 4 cache write');
});

test('a session without title has its folder’s name', () => {
  const session = { id: '0123456789', workspace: '/w/shop' };
  expect(sessionName({ ...session, title: 'Carts' })).toBe('Carts');
  expect([sessionName(session), sessionName({ id: 'x' })]).toEqual(['shop 01234567', 'Session x']);
});

test('reports plan usage and projection', () => {
  const course = { start: '2026-11-01', end: '2026-11-30', budget: 20, used: 31.5, projected: 33, status: 'over' };
  expect(courseWords(course)).toBe(
    '2026-11-01 to 2026-11-30: $31.50 of $20.00 used. Projected: $33.00, $13.00 over the plan.',
  );
  expect(courseWords({ ...course, used: 1, projected: 5 })).toMatch(/\$5\.00, \$15\.00 of the plan left\.$/);
});

test('days without an answer are there too', () => {
  expect(
    everyDay([day('2026-02-27'), day('2026-03-02')], '2026-03-02').map(({ name, group }) => [name, group !== null]),
  ).toEqual([
    ['2026-02-27', true],
    ['2026-02-28', false],
    ['2026-03-01', false],
    ['2026-03-02', true],
  ]);
  expect(everyDay([], '2026-03-02')).toEqual([]);
  expect(everyDay([day('2020-01-01'), day('2026-03-02')], '2026-03-02')).toHaveLength(366);
});

test('the chart omits future and undated answers', () => {
  const days = [day('2026-02-28'), day('2026-03-01'), day('2031-01-01')];
  expect(everyDay(days, '2026-03-02').map(({ name }) => name)).toEqual(['2026-02-28', '2026-03-01']);
  expect(offChart(days, 5, '2026-03-02')).toBe(
    'Not in the chart: 1 answer with a future date, 2 answers without a time.',
  );
  expect(offChart([day('2020-01-01'), day('2026-03-02')], 2, '2026-03-02')).toBe(
    'Not in the chart: 1 answer from before 2025-03-02.',
  );
  expect(offChart(days, 3, '2031-01-01')).toBe('Not in the chart: 2 answers from before 2030-01-01.');
  expect(offChart([day('2026-03-02')], 1, '2026-03-02')).toBeNull();
  expect(localDay(new Date(2026, 2, 2, 23, 59))).toBe('2026-03-02');
});

test('a week has all its hours', () => {
  const week = weekOf([{ weekday: 6, hour: 23, responses: 4, dollars: 1 }]);
  expect(week).toHaveLength(7);
  expect(week[6]?.[23]?.responses).toBe(4);
  expect(hourName({ weekday: 6, hour: 9 })).toBe('Sunday, 09:00');
  expect(week.flat()).toHaveLength(168);
});
