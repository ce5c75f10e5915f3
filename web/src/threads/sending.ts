/** What is known of the next message before it goes out: small, since the status bar names the model of it. */
import { create } from 'zustand';
import type { Asked } from '../models/found';
import type { Failure, ModelRef, ReviewMode, ThreadId } from '../wire/gen/types';
import type { Scope } from './focusWords';
import type { Runs } from './words';

interface Sending {
  /** A message is on its way. */
  readonly busy: boolean;
  /** Why the last one did not go out, and of which thread it is; the draft is still there. */
  readonly problem: { readonly thread: ThreadId | null; readonly failure: Failure } | null;
  /** A message that waits for the person to let it go to a service; it is the draft of its thread. */
  readonly held: { readonly thread: ThreadId | null; readonly asked: Asked } | null;
  /** How edits of a conversation that has not begun will reach the document. */
  readonly newMode: ReviewMode;
  /** Whether what is run in its notebook will be asked about. */
  readonly newRuns: Runs;
  /** The model of a conversation that has not begun, if it is not the one of all new ones. */
  readonly newModel: ModelRef | null;
  /** What of the file they look at goes along with the next message. */
  readonly scope: Scope;
}

export const useSending = create<Sending>(() => ({
  busy: false,
  problem: null,
  held: null,
  newMode: 'review_each',
  newRuns: 'ask',
  newModel: null,
  scope: 'auto',
}));
