// How many changes the server has not got yet, over all open documents.
import { create } from 'zustand';
import { RequestFailed } from '../wire/requests';

const counts = new Map<string, number>();

/** The sum, for components. */
export const useUnsynced = create<{ count: number }>(() => ({ count: 0 }));

/** Says how many changes of one document have not gone out. */
export function setUnsynced(document: string, count: number): void {
  if (count > 0) counts.set(document, count);
  else counts.delete(document);
  const sum = [...counts.values()].reduce((total, next) => total + next, 0);
  if (sum !== useUnsynced.getState().count) useUnsynced.setState({ count: sum });
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
