import { useCallback, useEffect, useRef, useState } from 'react';
import { useActions } from '../actions/store';
import { startActions } from '../actions/sync';
import { connection } from '../wire/connection';
import type { Failure } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { type AuditFilter, formatFilter } from './filter';
import { type AuditPages, freshened, NO_PAGES } from './pages';
import { readOn } from './read';

/** What is known of the audit, and how to know more. */
export interface Audit {
  readonly pages: AuditPages;
  readonly loading: boolean;
  readonly failure: Failure | null;
  /** Reads older records. */
  more(): void;
  /** Reads the newest again; what is shown stays. */
  again(): void;
}

/** Reads the records that a filter lets through, newest first; again when something was done. */
export function useAudit(filter: AuditFilter): Audit {
  const key = formatFilter(filter);
  const [pages, setPages] = useState(NO_PAGES);
  const [loading, setLoading] = useState(true);
  const [failure, setFailure] = useState<Failure | null>(null);
  const latest = useRef({ filter, pages });
  latest.current = { filter, pages };
  const reading = useRef<AbortController | null>(null);

  const read = useCallback((from: AuditPages, take: (next: AuditPages) => AuditPages = (next) => next) => {
    reading.current?.abort();
    const mine = new AbortController();
    reading.current = mine;
    setLoading(true);
    readOn(from, latest.current.filter, mine.signal)
      .then(
        (next) => {
          if (mine.signal.aborted) return;
          setFailure(null);
          setPages(take(next));
        },
        (error: unknown) => !mine.signal.aborted && setFailure(failureOf(error)),
      )
      .finally(() => !mine.signal.aborted && setLoading(false));
  }, []);

  const again = useCallback(() => read(NO_PAGES, (newest) => freshened(latest.current.pages, newest)), [read]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list.
  useEffect(() => {
    read(NO_PAGES);
  }, [key, read]);
  useEffect(() => {
    startActions();
    const soon = debounced(again, 300);
    const stops = [
      connection.on('document_edited', soon),
      connection.on('needs_you', soon),
      connection.on('hello', soon),
      // What this window asked for may have failed, which is told to nobody else.
      useActions.subscribe(({ records }, before) => records !== before.records && soon()),
    ];
    return () => {
      for (const stop of stops) stop();
      soon.cancel();
      reading.current?.abort();
    };
  }, [again]);
  return { pages, loading, failure, more: () => read(latest.current.pages), again };
}

/** Calls once, some milliseconds after the last asking. */
function debounced(call: () => void, delay: number): (() => void) & { cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(call, delay);
  };
  return Object.assign(later, { cancel: () => clearTimeout(timer) });
}
