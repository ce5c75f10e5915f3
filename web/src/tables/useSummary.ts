import { useEffect, useState } from 'react';
import type { ColumnFacts, Failure, SummariseColumn, TableSummary, TableView } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';

/** The summary of a column, how far it is, or why there is none. */
export interface ShownSummary {
  readonly facts?: ColumnFacts;
  readonly progress?: number;
  readonly failure?: Failure;
}

/** The summary of a column in the rows of a view; `version` is that of the file. */
export function useSummary(path: string, view: TableView, column: number, version: string): ShownSummary {
  const [summary, setSummary] = useState<ShownSummary>({});
  const { order: _, ...rows } = view;
  const key = JSON.stringify(rows);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the file has other values.
  useEffect(() => {
    setSummary({});
    const giveUp = new AbortController();
    const body: SummariseColumn = { path, view: JSON.parse(key) as TableView, column };
    // The server answers after a moment even if there is more to do, so this asks again at once.
    const ask = async () => {
      while (!giveUp.signal.aborted) {
        const { facts, progress } = await request<TableSummary>('POST', 'tables/summary', body, giveUp.signal);
        setSummary(facts ? { facts } : { progress });
        if (facts) return;
      }
    };
    ask().catch((error: unknown) => !giveUp.signal.aborted && setSummary({ failure: failureOf(error) }));
    return () => giveUp.abort();
  }, [path, key, column, version]);
  return summary;
}
