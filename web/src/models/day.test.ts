import { expect, it } from 'vitest';
import type { SpendingView } from '../wire/gen/types';
import { dayOf } from './day';

const NOTHING = { picodollars: 0, unknown: 0, at_most: 0, local: 0, milliseconds: 0 };
const spending = (dollars: number, limit: number | null, part: Partial<SpendingView> = {}): SpendingView => ({
  today: { ...NOTHING, picodollars: dollars * 1e12 },
  total: NOTHING,
  days: [],
  models: [],
  limits: { turn: null, task: null, thread: null, workspace: null, day: limit === null ? null : limit * 1e12 },
  problem: null,
  warning: null,
  file: null,
  prices: [],
  ...part,
});

it('is null without spending and limits', () => {
  expect(dayOf(spending(0, null))).toBeNull();
});

it('leaves out the time of local models', () => {
  const today = { ...NOTHING, local: 3, milliseconds: 90_000 };
  expect(dayOf(spending(0, null, { today }))).toBeNull();
  expect(dayOf(spending(0, 10, { today }))).toMatchObject({ words: 'Today $0.00 of $10.00', share: 0 });
  expect(dayOf(spending(0, null, { today: { ...today, picodollars: 1e12 } }))).toMatchObject({ words: 'Today $1.00' });
});

it('shows how much of the limit is gone', () => {
  expect(dayOf(spending(0.5, 10))).toMatchObject({ words: 'Today $0.50 of $10.00', share: 0.05, tone: 'quiet' });
  expect(dayOf(spending(2, null))).toMatchObject({ words: 'Today $2.00', share: null });
});

it('warns before the limit and pauses at it', () => {
  expect(dayOf(spending(8.5, 10, { warning: 'close' }))).toMatchObject({ tone: 'warn', title: 'close' });
  expect(dayOf(spending(10, 10))).toMatchObject({ words: 'Today $10.00 of $10.00, paused', share: 1, tone: 'err' });
  expect(dayOf(spending(0, null, { problem: 'line 3' }))).toMatchObject({ title: 'line 3', tone: 'err' });
});

it('counts stopped calls at their highest cost', () => {
  const today = { ...NOTHING, picodollars: 6e12, unknown: 1, at_most: 4e12 };
  expect(dayOf(spending(0, 10, { today }))?.share).toBe(1);
});
