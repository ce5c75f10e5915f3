import { expect, test } from 'vitest';
import type { AuditRecord } from '../wire/gen/types';
import type { Entry } from './entry';
import { dayName, daysOf, freshened, joined, NO_PAGES } from './pages';

const NOON = new Date(2026, 10, 21, 12).getTime();
const HOUR = 3600 * 1000;

function entry(seq: number, rest: Partial<AuditRecord> = {}): Entry {
  const origin = { kind: 'user', user: 'ada' };
  const body = { action: 'a', action_type: 'doc.edit', at: NOON, origin, risks: ['write'], ...rest } as AuditRecord;
  return { seq, hash: '0'.repeat(64), body, grant: null };
}

test('unwanted reads are skipped, paging continues', () => {
  const page = [entry(9), entry(8, { risks: ['read'] })];
  expect(joined(NO_PAGES, page, false)).toMatchObject({ rows: [{ seq: 9 }], before: 8, end: true });
  expect(joined(NO_PAGES, page, true).rows.map((row) => row.seq)).toEqual([9, 8]);
  expect(joined({ rows: [], before: 5, end: false }, [], true)).toMatchObject({ before: 5, end: true });
});

test('a full page is not the end', () => {
  const page = Array.from({ length: 200 }, (_, index) => entry(200 - index));
  expect(joined(NO_PAGES, page, true).end).toBe(false);
});

test('new entries come on top without gaps', () => {
  const shown = { rows: [entry(5), entry(4), entry(3)], before: 3, end: true };
  const seqs = (pages: typeof NO_PAGES) => pages.rows.map((row) => row.seq);
  expect(seqs(freshened(shown, { rows: [entry(7), entry(5), entry(4)], before: 4, end: false }))).toEqual([7, 5, 4, 3]);
  expect(seqs(freshened(shown, { rows: [entry(90)], before: 80, end: false }))).toEqual([90]);
  expect(seqs(freshened(NO_PAGES, { rows: [entry(1)], before: 1, end: true }))).toEqual([1]);
});

test('days are local, in record order', () => {
  const rows = [entry(3), entry(2, { at: NOON - 11 * HOUR }), entry(1, { at: NOON - 13 * HOUR })];
  expect(daysOf(rows, NOON).map((day) => [day.name, day.rows.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
  ]);
  expect(dayName(NOON - 72 * HOUR, NOON)).toContain('2026');
});
