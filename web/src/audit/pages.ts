/** The audit in pages, newest first, and its days. Pure. */
import type { AuditEntry } from '../wire/gen/types';
import { type Entry, readEntry } from './entry';

/** Records of one request. */
export const PAGE = 200;

/** What was read so far. */
export interface AuditPages {
  readonly rows: readonly Entry[];
  /** The place in the chain that was read to; null before the first page. */
  readonly before: number | null;
  /** There is nothing older. */
  readonly end: boolean;
}

/** Nothing was read yet. */
export const NO_PAGES: AuditPages = { rows: [], before: null, end: false };

/** What is known after another page. */
export function joined(pages: AuditPages, page: readonly AuditEntry[], reads: boolean): AuditPages {
  const known = page.map(readEntry).filter((entry) => entry !== null);
  const shown = known.filter((entry) => reads || !onlyReads(entry));
  return {
    rows: [...pages.rows, ...shown],
    before: page.at(-1)?.seq ?? pages.before,
    end: page.length < PAGE,
  };
}

/** What is known once the newest were read again: nothing that is shown goes. */
export function freshened(pages: AuditPages, newest: AuditPages): AuditPages {
  const known = pages.rows[0]?.seq;
  const meet = known !== undefined && newest.before !== null && newest.before <= known;
  if (!meet) return newest;
  return { ...pages, rows: [...newest.rows.filter((row) => row.seq > known), ...pages.rows] };
}

function onlyReads({ body }: Entry): boolean {
  return body.risks.every((risk) => risk === 'read');
}

/** The records of one day. */
export interface Day {
  readonly name: string;
  readonly rows: readonly Entry[];
}

/** Groups records by the day they are of, in their order. */
export function daysOf(rows: readonly Entry[], now: number): Day[] {
  const days: { name: string; rows: Entry[] }[] = [];
  for (const row of rows) {
    const name = dayName(row.body.at, now);
    const last = days.at(-1);
    if (last?.name === name) last.rows.push(row);
    else days.push({ name, rows: [row] });
  }
  return days;
}

/** "Today", "Yesterday", then the date. */
export function dayName(at: number, now: number): string {
  const date = new Date(at);
  const today = new Date(now);
  const same = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - days).toDateString() === date.toDateString();
  if (same(0)) return 'Today';
  if (same(1)) return 'Yesterday';
  return date.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
}
