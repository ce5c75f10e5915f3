/** What goes along with the next message of each thread, beside where the person looks; kept as the draft is. */
import { create } from 'zustand';
import { announce } from '../ui/Announcer';
import type { Attached, ThreadId } from '../wire/gen/types';
import { attachedLabel } from './completion';
import { NEW } from './drafts';
import { keptMap } from './keptMap';
import { useThreads } from './state';

/** The server takes no more. */
const MOST = 8;
const NONE: readonly Attached[] = [];

const kept = keptMap('aside.attached', isAttached, 40);

const useAttachedStore = create<{ readonly of: Readonly<Record<string, readonly Attached[]>> }>(() => ({
  of: kept.read(),
}));

/** What goes along with the next message of a thread. */
export function attachedTo(thread: ThreadId | null): readonly Attached[] {
  return useAttachedStore.getState().of[thread ?? NEW] ?? NONE;
}

/** The same, for components. */
export function useAttached(thread: ThreadId | null): readonly Attached[] {
  return useAttachedStore(({ of }) => of[thread ?? NEW]) ?? NONE;
}

/** Sends something along with the next message; once is enough. */
export function attach(thread: ThreadId | null, attached: Attached): void {
  const before = attachedTo(thread);
  const same = JSON.stringify(attached);
  const label = attachedLabel(attached, useThreads.getState().threads);
  if (before.some((each) => JSON.stringify(each) === same)) return;
  if (before.length >= MOST) return announce(`You can attach at most ${MOST} items to a message`, 'assertive');
  put(thread, [...before, attached]);
  announce(`Attached ${label}`);
}

/** Takes some of them off. */
export function detach(thread: ThreadId | null, ...gone: readonly Attached[]): void {
  put(
    thread,
    attachedTo(thread).filter((each) => !gone.includes(each)),
  );
}

/** What was to go along with the first message goes along in the thread that has begun. */
export function attachToBegun(thread: ThreadId): void {
  put(thread, attachedTo(null));
  put(null, NONE);
}

function put(thread: ThreadId | null, list: readonly Attached[]): void {
  useAttachedStore.setState(({ of }) => ({ of: { ...of, [thread ?? NEW]: list } }));
  kept.change(thread ?? NEW, list.length > 0 ? list : undefined);
}

function isAttached(value: unknown): value is readonly Attached[] {
  const isOne = (each: unknown) => typeof each === 'object' && each !== null && 'kind' in each;
  return Array.isArray(value) && value.length > 0 && value.every(isOne);
}
