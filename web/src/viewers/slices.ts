// Long work in slices, so that the window stays live.

/** Milliseconds of work before the window gets its turn. */
const SLICE = 8;

/** Runs a generator to its end in slices; null if it was given up. Each `yield` is a place to stop at. */
export async function inSlices<T>(work: Generator<unknown, T>, signal: AbortSignal): Promise<T | null> {
  for (;;) {
    const until = performance.now() + SLICE;
    while (performance.now() < until) {
      if (signal.aborted) return null;
      const { value, done } = work.next();
      if (done) return value;
    }
    await nextTurn();
  }
}

/** Returns after the browser had its turn; faster than a timer, which waits some milliseconds. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
