// The page of the history in this window: what it shows, and going to something in it.
import { useMemo } from 'react';
import { navigate, setPageQuery, usePageQuery, useRoute } from '../app/history';
import { openView } from '../frames/store';
import { formatShows, parseShows, type Shows, type Which } from './shows';

/** What the page shows. */
export function useShows(): Shows {
  const query = usePageQuery('history');
  return useMemo(() => parseShows(query), [query]);
}

/** Goes to something else in it; Back leads back. */
export function go(part: Partial<Shows>): void {
  navigate({ kind: 'history', query: formatShows({ ...shown(), ...part }) });
}

/** Narrows what is shown, without a step for Back: it is typed letter by letter. */
export function narrow(which: Which): void {
  setPageQuery('history', formatShows({ ...shown(), which }));
}

/** Opens a session from beside the page. */
export function openSession(session: string): void {
  go({ session });
  openView({ kind: 'history' });
}

const shown = () => parseShows(useRoute.getState().queries.history ?? '');
