// How many changes the server has not got yet, over all open documents.
import { create } from 'zustand';

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
