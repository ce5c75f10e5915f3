/**
 * Which editors show a review, and what the keys, the bar and the cards do with it.
 *
 * Knows nothing of the editor itself, so that a card can be shown without loading one.
 */
import { create } from 'zustand';
import type { WorkspacePath } from '../wire/gen/types';

/** The review of one open editor. */
export interface Reviewer {
  readonly path: WorkspacePath;
  /** How many changes it shows. */
  count(): number;
  /** The cursor is in the editor, and in a change. */
  hasCurrent(): boolean;
  /** Goes to the next or previous change, or to one by its key; says which it is, null if there is none. */
  goTo(target: 1 | -1 | string): string | null;
  /** Answers the change the keys are about, or goes to one if they are about none. */
  answer(choice: 'accept' | 'reject'): string | null;
  /** Accepts all changes of the action the keys are about. */
  acceptAction(): void;
  /** Answers every change. */
  decideAll(choice: 'accept' | 'reject'): Promise<void>;
}

/** The editors that are open, the one used last at the end. */
const useReviewers = create<{ readonly reviewers: readonly Reviewer[] }>(() => ({ reviewers: [] }));

/** Says that an editor is used now. */
export function activate(reviewer: Reviewer): void {
  useReviewers.setState(({ reviewers }) => ({
    reviewers: [...reviewers.filter((each) => each !== reviewer), reviewer],
  }));
}

/** Says that an editor is gone. */
export function deactivate(reviewer: Reviewer): void {
  useReviewers.setState(({ reviewers }) => ({ reviewers: reviewers.filter((each) => each !== reviewer) }));
}

/** The review of a file in the editor that was used last. */
export function reviewerOf(path: WorkspacePath): Reviewer | null {
  return useReviewers.getState().reviewers.findLast((each) => each.path === path) ?? null;
}

/** The review that the keys are about: of the editor used last that has something to review. */
export function currentReviewer(): Reviewer | null {
  return useReviewers.getState().reviewers.findLast((each) => each.count() > 0) ?? null;
}

/** Runs once a file's editor shows a change; it may still have to be loaded. */
export function whenShown(path: WorkspacePath, key: string, give = 5000): void {
  // Once: whoever has gone on to another change since is not taken back to this one.
  let shown = false;
  const tryNow = () => {
    if (!shown) shown = reviewerOf(path)?.goTo(key) != null;
    return shown;
  };
  if (tryNow()) return;
  const stop = useReviewers.subscribe(() => setTimeout(() => tryNow() && stop(), 50));
  setTimeout(stop, give);
}
