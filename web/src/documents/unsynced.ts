// How many changes the server has not got yet, over all open documents.
import { create } from 'zustand';
import { RequestFailed } from '../wire/requests';

const counts = new Map<string, number>();

/** The sum, for components; and why the browser can't store them, if it can't. */
export const useUnsynced = create<{ count: number; unstored: 'full' | 'denied' | null }>(() => ({
  count: 0,
  unstored: null,
}));

/** Says how many changes of one document have not gone out. */
export function setUnsynced(document: string, count: number): void {
  if (count > 0) counts.set(document, count);
  else counts.delete(document);
  const sum = [...counts.values()].reduce((total, next) => total + next, 0);
  if (sum === useUnsynced.getState().count) return;
  useUnsynced.setState({ count: sum });
  warnOnLeave(sum > 0);
}

/** Notes whether the browser stores unsynced changes; `error` says why not. */
export function setUnstored(error: unknown): void {
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  const unstored = error === null ? null : isFull ? 'full' : 'denied';
  if (unstored !== useUnsynced.getState().unstored) useUnsynced.setState({ unstored });
}

/** The browser asks before the page goes away. */
function warnOnLeave(warn: boolean): void {
  if (typeof window === 'undefined') return;
  if (warn) window.addEventListener('beforeunload', preventLeave);
  else window.removeEventListener('beforeunload', preventLeave);
}

function preventLeave(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/**
 * Waits a moment until the server has all changes, and throws if it has not got them by then: it reads documents as they
 * are there, and the connection that they go by comes back later than requests do.
 */
export async function untilSynced(patience = 3000): Promise<void> {
  const isSynced = await new Promise<boolean>((resolve) => {
    const done = (is: boolean) => {
      stop();
      clearTimeout(timer);
      resolve(is);
    };
    const check = () => useUnsynced.getState().count === 0 && done(true);
    const stop = useUnsynced.subscribe(check);
    const timer = setTimeout(() => done(false), patience);
    check();
  });
  if (isSynced) return;
  const message = 'your last changes have not reached Aside';
  throw new RequestFailed(0, { code: 'unsynced', message, hint: 'try again once the window says Synced', data: null });
}
