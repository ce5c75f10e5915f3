/**
 * Messages written while an answer is under way, thread by thread. Each is sent when the answer before it is complete;
 * after a stop or a failure they wait for the person. Kept on this machine, like drafts.
 */
import { create } from 'zustand';
import { announce } from '../ui/Announcer';
import type { Attached, Focus, ThreadId, TurnId } from '../wire/gen/types';
import { newKey } from '../wire/requests';
import { attachedTo, detach } from './attached';
import { setDraft, useDrafts } from './drafts';
import { openTurn, type ThreadView } from './events';
import { keptMap } from './keptMap';
import { focusToSend, send } from './send';
import { useSending } from './sending';
import { useThreads } from './state';

/** One message that waits. */
export interface Queued {
  /** The key it is sent under: it goes out once, whichever window sends it. */
  readonly key: string;
  readonly text: string;
  /** The file and the lines that the person looked at. */
  readonly focus: Focus | null;
  readonly attached: readonly Attached[];
}

type Queues = Readonly<Record<string, readonly Queued[]>>;

const kept = keptMap<readonly Queued[]>('aside.queued', isQueue, 40);

export const useQueues = create<{ readonly queues: Queues }>(() => ({ queues: kept.read() }));

const NONE: readonly Queued[] = [];

/** The messages that wait in a thread, in their order. */
export function useQueued(thread: ThreadId | null): readonly Queued[] {
  return useQueues(({ queues }) => (thread && queues[thread]) || NONE);
}

/** Puts the draft of a thread at the end of its queue. */
export function queueDraft(thread: ThreadId): void {
  const text = (useDrafts.getState().drafts[thread] ?? '').trim();
  if (text === '') return;
  const attached = [...attachedTo(thread)];
  keep(thread, [...queueOf(thread), { key: newKey(), text, focus: focusToSend(), attached }]);
  detach(thread, ...attached);
  setDraft(thread, '');
  sendNext();
  announce('Queued. It is sent when the answer is complete.');
}

/** Takes a message off the queue. */
export function unqueue(thread: ThreadId, key: string): void {
  keep(
    thread,
    queueOf(thread).filter((each) => each.key !== key),
  );
}

/** Takes a message off the queue and puts its words before what is in the composer. */
export function editQueued(thread: ThreadId, { key, text }: Queued): void {
  unqueue(thread, key);
  const draft = useDrafts.getState().drafts[thread] ?? '';
  setDraft(thread, draft.trim() === '' ? text : `${text}\n\n${draft}`);
  window.dispatchEvent(new Event('aside:compose'));
}

/** Sends the first message of a thread's queue now; it stays in the queue if it does not go out. */
export async function sendQueued(thread: ThreadId): Promise<void> {
  const [first] = queueOf(thread);
  if (!first) return;
  watched.delete(thread);
  if ((await send(first.text, { ...first, thread })) !== null) unqueue(thread, first.key);
}

let started = false;

/** Starts once per window: sends what waits as soon as the answer before it is complete. */
export function startQueues(): void {
  if (started) return;
  started = true;
  useThreads.subscribe(sendNext);
  useSending.subscribe(sendNext);
  sendNext();
}

/** The turn of each thread that this window saw under way: a queue is not sent hours later, by a window that is opened. */
const watched = new Map<ThreadId, TurnId>();

function sendNext(): void {
  const { busy } = useSending.getState();
  for (const thread of Object.keys(useQueues.getState().queues) as ThreadId[]) {
    const view = useThreads.getState().views.get(thread);
    const open = view && openTurn(view);
    if (open) watched.set(thread, open.id);
    else if (!busy && view && isComplete(thread, view)) return void sendQueued(thread);
  }
}

/** Tells whether the turn that was watched last has come to its end by itself. */
function isComplete(thread: ThreadId, { turns }: ThreadView): boolean {
  const last = turns.at(-1);
  return last?.end?.kind === 'done' && watched.get(thread) === last.id;
}

function queueOf(thread: ThreadId): readonly Queued[] {
  return useQueues.getState().queues[thread] ?? NONE;
}

function keep(thread: ThreadId, queue: readonly Queued[]): void {
  const { [thread]: _, ...others } = useQueues.getState().queues;
  useQueues.setState({ queues: queue.length === 0 ? others : { ...others, [thread]: queue } });
  kept.change(thread, queue.length === 0 ? undefined : queue);
}

function isQueue(value: unknown): value is readonly Queued[] {
  const isOne = (each: unknown) => typeof each === 'object' && each !== null && 'key' in each && 'text' in each;
  return Array.isArray(value) && value.every(isOne);
}
