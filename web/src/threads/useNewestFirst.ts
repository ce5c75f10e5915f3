import { useEffect, useState } from 'react';
import type { ThreadId } from '../wire/gen/types';

/** So many are shown at once; a person reads the newest. */
const FIRST = 24;
/** So many come with each rest of the browser. */
const MORE = 24;

interface Shown {
  readonly thread: ThreadId | null;
  readonly count: number;
}

/**
 * The newest turns of a thread at first, and soon all of them: a long one opens as fast as a short one, and is found
 * and read whole.
 */
export function useNewestFirst<T>(thread: ThreadId | null, turns: readonly T[]): readonly T[] {
  const [shown, setShown] = useState<Shown>({ thread, count: FIRST });
  const count = shown.thread === thread ? shown.count : FIRST;
  const whole = count >= turns.length;
  useEffect(() => {
    if (whole) return;
    return whenIdle(() => setShown({ thread, count: count + MORE }));
  }, [thread, count, whole]);
  // What comes later is shown at once, too.
  useEffect(() => {
    if (whole && turns.length >= count) setShown({ thread, count: turns.length + FIRST });
  }, [thread, count, whole, turns.length]);
  return whole ? turns : turns.slice(-count);
}

/** Runs something when the browser has nothing else to do, or after half a second; returns what calls it off. */
function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 50);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(run, { timeout: 500 });
  return () => cancelIdleCallback(idle);
}
