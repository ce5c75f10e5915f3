/** The quick task: the last sentence from the palette that shows something. Small, since the window always knows of it. */
import { create } from 'zustand';
import type { ActionId, Failure, TaskId, ThreadId } from '../wire/gen/types';

/** How far it is, with the sentence in `text`. */
export type Quick = { readonly text: string } & (
  | { readonly kind: 'starting' }
  /** A plan of the understood actions: it waits for a person, runs, and can be undone. */
  | { readonly kind: 'task'; readonly task: TaskId }
  /** One action that ran at once, or that a rule asks about. */
  | { readonly kind: 'action'; readonly action: ActionId }
  /** A message to the assistant. */
  | { readonly kind: 'turn'; readonly thread: ThreadId }
  /** Only a model understands it, and there is none. */
  | { readonly kind: 'no_model' }
  | { readonly kind: 'failed'; readonly failure: Failure }
);

/** The one that is shown. */
export const useQuick = create<{ readonly quick: Quick | null }>(() => ({ quick: null }));

/** Shows a quick task; null closes the panel. Its task or thread stays. */
export function showQuick(quick: Quick | null): void {
  useQuick.setState({ quick });
}
