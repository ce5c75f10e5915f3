/** What a window knows of conversations. What it hears and does is `store.ts`: this much is there before anything is shown. */
import { create } from 'zustand';
import type { Failure, Thread, ThreadId, TurnId } from '../wire/gen/types';
import type { ThreadView } from './events';

interface Threads {
  readonly threads: ReadonlyMap<ThreadId, Thread>;
  /** The list has been read once. */
  readonly listed: boolean;
  /** Why the list could not be read when it was asked for last. */
  readonly unlisted: Failure | null;
  /** The one that is shown; null is a conversation that has not begun. */
  readonly current: ThreadId | null;
  /** The turn that is to be brought into sight once it is there. */
  readonly sought: TurnId | null;
  /** Those whose log is read. */
  readonly views: ReadonlyMap<ThreadId, ThreadView>;
  /** Those whose backlog is through: from here on, what comes is new. */
  readonly caughtUp: ReadonlySet<ThreadId>;
  /** Those whose log the server does not give, and why. */
  readonly refused: ReadonlyMap<ThreadId, Failure>;
}

/** For components; subscribe to one thread, not to all. */
export const useThreads = create<Threads>(() => ({
  threads: new Map(),
  listed: false,
  unlisted: null,
  current: null,
  sought: null,
  views: new Map(),
  caughtUp: new Set(),
  refused: new Map(),
}));
