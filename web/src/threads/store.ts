/**
 * The conversations of this window: the list, the one that is shown, and what its log says so far.
 *
 * What comes in over the connection is folded in once per animation frame, however fast it comes.
 */
import { learn, useActions } from '../actions/store';
import { connection, useConnection } from '../wire/connection';
import type { ActionRecord, LiveDelta, Thread, ThreadEvent, ThreadId, TurnId } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidateWhere } from '../wire/resource';
import { applyDelta, applyEvent, EMPTY_THREAD, openTurn, type ThreadView } from './events';
import { perFrame } from './perFrame';
import { useThreads } from './state';

/** Where this tab keeps the thread it shows, so that a reload shows it at once. */
const LAST = 'aside.thread';

/** What is shown of a thread. */
export function useThreadView(id: ThreadId | null): ThreadView {
  return useThreads((state) => (id ? state.views.get(id) : undefined) ?? EMPTY_THREAD);
}

/** Tells whether a turn of a thread goes on, for whoever has nothing else to do with what is said in it. */
export function useRunning(id: ThreadId | null): boolean {
  return useThreads(({ views }) => {
    const view = id && views.get(id);
    return view ? openTurn(view) !== null : false;
  });
}

let started = false;

/** Starts once per window: reads the list, and hears of threads that are started or changed anywhere. */
export function startThreads(): void {
  if (started) return;
  started = true;
  const read = () => void readThreads();
  if (useConnection.getState().status === 'online') read();
  connection.on('hello', read);
  connection.on('thread_changed', ({ thread }) => learnThread(thread));
  connection.on('thread_deleted', ({ thread }) => forgetThread(thread));
  const last = sessionStorage.getItem(LAST);
  if (last && useThreads.getState().current === null) showThread(last);
  // Nobody misses it if it can't be read.
  void import('./keep').then(({ keepThread }) => keepThread()).catch(() => {});
}

/** Reads the list. What was known before and is not in it was deleted meanwhile; those of AI cells never are in it. */
export async function readThreads(): Promise<void> {
  const before = [...useThreads.getState().threads.values()];
  try {
    const list = await request<Thread[]>('GET', 'threads');
    const there = new Set(list.map(({ id }) => id));
    for (const { id, cell } of before) if (cell === undefined && !there.has(id)) forgetThread(id);
    useThreads.setState(({ threads }) => ({ threads: merged(threads, list), listed: true, unlisted: null }));
  } catch (error) {
    useThreads.setState({ unlisted: failureOf(error) });
  }
}

/** Tells, once the list was read, whether there is such a thread. */
export function isThread(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    const check = () => {
      const { listed, threads } = useThreads.getState();
      if (!listed) return;
      stop();
      resolve(threads.has(id));
    };
    const stop = useThreads.subscribe(check);
    check();
  });
}

/** Takes in a thread that was started or changed somewhere. */
export function learnThread(...list: readonly Thread[]): void {
  useThreads.setState(({ threads }) => ({ threads: merged(threads, list) }));
}

/** Forgets a thread that was deleted; if it was shown, a new one begins. */
function forgetThread(id: ThreadId): void {
  useThreads.setState(({ threads }) => ({ threads: without(threads, id) }));
  if (useThreads.getState().current === id) showThread(null);
  leave(id);
}

function without<T>(map: ReadonlyMap<ThreadId, T>, id: ThreadId): ReadonlyMap<ThreadId, T> {
  return new Map([...map].filter(([known]) => known !== id));
}

/** Of two accounts of a thread the later stands. */
function merged(known: ReadonlyMap<ThreadId, Thread>, list: readonly Thread[]): ReadonlyMap<ThreadId, Thread> {
  const threads = new Map(known);
  for (const thread of list) {
    if ((threads.get(thread.id)?.updated ?? 0) <= thread.updated) threads.set(thread.id, thread);
  }
  return threads;
}

/** Shows a thread, at one of its turns if one is named; null begins a new one. */
export function showThread(id: ThreadId | null, turn: TurnId | null = null): void {
  if (id) {
    hear(id);
    sessionStorage.setItem(LAST, id);
  } else sessionStorage.removeItem(LAST);
  useThreads.setState({ current: id, sought: turn });
  leaveIdle();
}

/** So many threads that were shown are followed at once: the server has an end of it, for each window. */
const MOST_SHOWN = 50;

/** What ends the following of a thread; the one that was asked for last is the last. */
const followed = new Map<ThreadId, () => void>();
/** How many follow a thread beside the side, where it is shown. */
const holders = new Map<ThreadId, number>();

/** Reads a thread's log and everything that comes after, until the end that is returned; after that it is one of those that were shown. */
export function follow(id: ThreadId): () => void {
  holders.set(id, (holders.get(id) ?? 0) + 1);
  hear(id);
  return () => {
    const left = (holders.get(id) ?? 1) - 1;
    if (left > 0) return void holders.set(id, left);
    holders.delete(id);
    leaveIdle();
  };
}

/** Reads the log of a thread once more that was not given. */
export function readAgain(id: ThreadId): void {
  leave(id);
  hear(id);
}

function hear(id: ThreadId): void {
  const end =
    followed.get(id) ??
    connection.subscribeThread(id, {
      onEvent: (event) => collect(id, { event }),
      onDelta: (delta) => collect(id, { delta }),
      onCaughtUp: () => collect(id, { caughtUp: true }),
      onRefused: (failure) => useThreads.setState(({ refused }) => ({ refused: new Map(refused).set(id, failure) })),
    });
  followed.delete(id);
  followed.set(id, end);
}

/** Leaves threads that were shown long ago and in which nothing goes on; who shows one again reads it anew. */
function leaveIdle(): void {
  const { running } = useConnection.getState();
  const { current } = useThreads.getState();
  const shown = [...followed.keys()].filter((id) => !holders.has(id));
  const old = shown.slice(0, Math.max(0, shown.length - MOST_SHOWN));
  for (const id of old) if (id !== current && !running.has(id)) leave(id);
}

/** Forgets the log of a thread. */
function leave(id: ThreadId): void {
  followed.get(id)?.();
  followed.delete(id);
  collected.delete(id);
  useThreads.setState(({ views, caughtUp, refused }) => ({
    views: without(views, id),
    caughtUp: new Set([...caughtUp].filter((known) => known !== id)),
    refused: without(refused, id),
  }));
}

type News = { readonly event: ThreadEvent } | { readonly delta: LiveDelta } | { readonly caughtUp: true };

const collected = new Map<ThreadId, News[]>();
const foldSoon = perFrame(fold);

function collect(id: ThreadId, news: News): void {
  const before = collected.get(id);
  if (before) before.push(news);
  else collected.set(id, [news]);
  foldSoon();
}

function fold(): void {
  const records: ActionRecord[] = [];
  let called = false;
  useThreads.setState((state) => {
    const refused = new Map(state.refused);
    const views = new Map(state.views);
    const caughtUp = new Set(state.caughtUp);
    let threads = state.threads;
    for (const [id, news] of collected) {
      // What was said before is shown at once: nobody reads it while it comes.
      if (!caughtUp.has(id) && !news.some((each) => 'caughtUp' in each)) continue;
      collected.delete(id);
      let view = views.get(id) ?? EMPTY_THREAD;
      for (const each of news) {
        if ('event' in each) {
          view = applyEvent(view, each.event);
          if (each.event.body.type === 'step_ended') called = true;
          if (each.event.body.type === 'action_changed') records.push(each.event.body.record);
          if (each.event.body.type === 'thread_changed') threads = merged(threads, [each.event.body.thread]);
        } else if ('delta' in each) view = applyDelta(view, each.delta);
        else {
          caughtUp.add(id);
          refused.delete(id);
        }
      }
      views.set(id, view);
    }
    return { views, caughtUp, refused, threads };
  });
  if (records.length > 0) learn(...records);
  if (called) invalidateWhere((path) => path.startsWith('spending'));
}

/** The threads with something that waits for a person. */
export function useWaitingThreads(): ReadonlySet<ThreadId> {
  const records = useActions((state) => state.records);
  const waiting = new Set<ThreadId>();
  for (const record of records.values()) {
    if (record.state === 'awaiting_confirmation' && record.origin.kind === 'turn') waiting.add(record.origin.thread);
  }
  return waiting;
}
