// What can wait until the browser has nothing else to do: one after the other, as many as fit into what is left of a frame.

/** Milliseconds after which what waits is done even if the browser always has something else to do, one thing at a time. */
const LATEST = 300;

/** Milliseconds that are left for the page itself. */
const SPARE = 3;

const waiting = new Set<() => void>();
let asked = false;

/** Does something when there is time, soon in any case; returns how to take that back. */
export function whenIdle(run: () => void): () => void {
  const entry = () => run();
  waiting.add(entry);
  ask();
  return () => waiting.delete(entry);
}

function ask(): void {
  if (asked || waiting.size === 0) return;
  asked = true;
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: LATEST });
  else setTimeout(() => work(null), 50);
}

function work(left: IdleDeadline | null): void {
  asked = false;
  for (const entry of waiting) {
    waiting.delete(entry);
    entry();
    if ((left?.timeRemaining() ?? 0) < SPARE) break;
  }
  ask();
}
