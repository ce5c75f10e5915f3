import { useEffect, useMemo, useState } from 'react';
import { inSlices } from '../viewers/slices';
import { type Column, filtered, type Order, type Sheet, type Summary, sorted, summarised } from './sheet';
import { filterOf } from './values';

/** The filters of a table: of each column by its number, and of all. */
export interface Filters {
  readonly anywhere: string;
  readonly columns: Readonly<Record<number, string>>;
}

/** No filter. */
export const UNFILTERED: Filters = { anywhere: '', columns: {} };

/** Milliseconds after the last letter of a filter before rows are looked through. */
const PAUSE = 150;

/** The rows that are shown, in their order; null for all as they are in the file. */
export function useRows(
  sheet: Sheet | null,
  count: number,
  from: number,
  columns: readonly Column[],
  filters: Filters,
  order: Order | null,
): { rows: Uint32Array | null; working: boolean } {
  const [shown, setShown] = useState<Uint32Array | null>(null);
  const [working, setWorking] = useState(false);
  const plain = order === null && filters === UNFILTERED;
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows are other rows.
  useEffect(() => {
    if (!sheet || plain) {
      setShown(null);
      return setWorking(false);
    }
    const giveUp = new AbortController();
    setWorking(true);
    const timer = setTimeout(async () => {
      const rows = await inSlices(arranged(sheet, from, columns, filters, order), giveUp.signal);
      if (rows === null) return;
      setShown(rows);
      setWorking(false);
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      giveUp.abort();
    };
  }, [sheet, count, from, columns, filters, order, plain]);
  return { rows: plain ? null : shown, working };
}

function* arranged(
  sheet: Sheet,
  from: number,
  columns: readonly Column[],
  filters: Filters,
  order: Order | null,
): Generator<unknown, Uint32Array> {
  const tests = Object.entries(filters.columns).flatMap(([column, text]) => {
    const test = filterOf(text, sheet.comma);
    return test ? [{ column: Number(column), test }] : [];
  });
  const rows = yield* filtered(sheet, from, filterOf(filters.anywhere, sheet.comma), tests);
  return order ? yield* sorted(sheet, rows, order, columns[order.column]?.kind ?? 'text') : rows;
}

/** The summary of a column in the shown rows; null while it is counted. */
export function useSummary(
  sheet: Sheet | null,
  rows: Uint32Array | null,
  count: number,
  from: number,
  column: number | null,
  kind: Column['kind'],
): Summary | null {
  const [summary, setSummary] = useState<Summary | null>(null);
  const all = useMemo(
    () => rows ?? Uint32Array.from({ length: column === null ? 0 : Math.max(0, count - from) }, (_, at) => from + at),
    [rows, count, from, column],
  );
  useEffect(() => {
    setSummary(null);
    if (!sheet || column === null) return;
    const giveUp = new AbortController();
    void inSlices(summarised(sheet, all, column, kind), giveUp.signal).then((found) => found && setSummary(found));
    return () => giveUp.abort();
  }, [sheet, all, column, kind]);
  return summary;
}
