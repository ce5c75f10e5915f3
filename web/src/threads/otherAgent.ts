/** The file that is looked at and the thread that is shown may be of two agents: each thread keeps the one it began with. */
import { useEffect, useRef } from 'react';
import { useShell } from '../app/shell';
import { useFacts } from '../files/kind';
import { useSideDocument } from '../side/modes';
import type { FileAgent, ThreadId, WorkspacePath } from '../wire/gen/types';
import { useDrafts } from './drafts';
import { newestBeside } from './list';
import { useThreads } from './state';
import { showThread } from './store';

/** A file that another agent works on than the one of a thread. */
export interface OtherAgent {
  readonly path: WorkspacePath;
  /** Who works on the file. */
  readonly wanted: FileAgent;
}

/** The file that is looked at, if the agent of this thread is not the one for it. */
export function useOtherAgent(thread: ThreadId | null): OtherAgent | null {
  const path = useSideDocument();
  const shown = useThreads((state) => (thread ? state.threads.get(thread) : undefined));
  const wanted = useFacts(path ?? '')?.agent;
  const beside = useFacts(shown?.document ?? '')?.agent;
  if (path === null || !shown || !wanted || wanted === 'none') return null;
  // Beside a file that no agent works on, it is the one for texts.
  const answers: FileAgent = beside === 'notebook' ? 'notebook' : 'coding';
  return wanted === answers ? null : { path, wanted };
}

/** Shows the file's own newest thread, or begins a new one beside it. */
export function showOwn(path: WorkspacePath): void {
  showThread(newestBeside(useThreads.getState().threads.values(), path)?.id ?? null);
}

/**
 * Whoever turns from a file to one that another agent works on gets that file's own conversation. What they are in the
 * middle of stays: a turn that runs, words that are not sent, a page of its own; so does a thread beside no file, and
 * one that is chosen afterwards.
 */
export function useTurnToFile(thread: ThreadId | null, running: boolean): void {
  const path = useSideDocument();
  const known = useFacts(path ?? '') !== null;
  const other = useOtherAgent(thread);
  const full = useShell((state) => state.full);
  const turned = useRef(path);
  useEffect(() => {
    if (!known || turned.current === path) return;
    turned.current = path;
    if (other === null || thread === null || running || full) return;
    const { document } = useThreads.getState().threads.get(thread) ?? {};
    if (document && !useDrafts.getState().drafts[thread]) showOwn(other.path);
  }, [known, path, other, thread, running, full]);
}
