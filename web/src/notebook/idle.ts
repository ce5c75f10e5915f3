// What can wait until the browser has nothing else to do.

/** Does something when there is time, soon in any case; returns how to take that back. */
export function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 50);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 300 });
  return () => cancelIdleCallback(handle);
}
