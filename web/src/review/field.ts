/**
 * The open hunks of an editor's document as CodeMirror state: placed when they are set, moved with every change
 * of the text, compared with the text in their place.
 */
import { type ChangeDesc, type EditorState, StateEffect, StateField, type Text } from '@codemirror/state';
import type { Choice } from '../wire/gen/types';
import { neighbour, type OpenHunk, type Place, placeHunk } from './hunks';

/** A hunk in its place. */
export interface PlacedHunk extends OpenHunk {
  readonly place: Place;
  /** The answer that is on its way: it is shown as if given, can't be given again, and the hunk is not called stale. */
  readonly answer: Choice | null;
}

/** All that the editor shows of the review. */
export interface Review {
  readonly hunks: readonly PlacedHunk[];
  /** The hunk that the keys are about. */
  readonly focused: string | null;
}

/** A hunk with the offset its anchor resolved to. */
export interface AnchoredHunk extends OpenHunk {
  readonly at: number | null;
  readonly answer: Choice | null;
}

/** Replaces the hunks. */
export const setHunks = StateEffect.define<readonly AnchoredHunk[]>();

/** Gives one hunk, by its key, the attention of the keys. */
export const focusHunk = StateEffect.define<string | null>();

const NO_REVIEW: Review = { hunks: [], focused: null };

export const reviewField = StateField.define<Review>({
  create: () => NO_REVIEW,
  update(review, transaction) {
    let next = transaction.docChanged ? move(review, transaction.newDoc, transaction.changes) : review;
    for (const effect of transaction.effects) {
      if (effect.is(setHunks)) next = place(next, transaction.newDoc, effect.value);
      if (effect.is(focusHunk)) next = { ...next, focused: effect.value };
    }
    return next;
  },
});

function move(review: Review, doc: Text, changes: ChangeDesc): Review {
  if (review.hunks.length === 0) return review;
  const hunks = review.hunks.map((each) => ({
    ...each,
    place: placeHunk(doc, each.hunk, changes.mapPos(each.place.from, 1)),
  }));
  return { ...review, hunks };
}

function place(review: Review, doc: Text, anchored: readonly AnchoredHunk[]): Review {
  // Without an anchor, what is known of a change is where it has moved to since it was shown first.
  const moved = new Map(review.hunks.map((each) => [each.key, each.place.from]));
  const at = (each: AnchoredHunk) => each.at ?? (each.hunk.old.length > 0 ? moved.get(each.key) : undefined) ?? null;
  const hunks = anchored
    .map((each): PlacedHunk => {
      const { at: _, ...open } = each;
      return { ...open, place: placeHunk(doc, open.hunk, at(each)) };
    })
    .sort((one, two) => one.place.from - two.place.from);
  return { hunks, focused: stillThere(review, hunks) };
}

/** When the focused hunk was decided, the one after it has the attention, so that a row of answers is a row of keys. */
function stillThere(review: Review, hunks: readonly PlacedHunk[]): string | null {
  if (review.focused === null) return null;
  const keys = new Set(hunks.map((each) => each.key));
  const index = review.hunks.findIndex((each) => each.key === review.focused);
  const inOrder = [...review.hunks.slice(index), ...review.hunks.slice(0, Math.max(index, 0))];
  return inOrder.find((each) => keys.has(each.key))?.key ?? null;
}

/** The hunk the keys are about: the focused one, else the one at the cursor. */
export function currentHunk(state: EditorState): PlacedHunk | null {
  const { hunks, focused } = state.field(reviewField);
  const chosen = hunks.find((each) => each.key === focused);
  if (chosen) return chosen;
  const line = state.doc.lineAt(state.selection.main.head);
  return hunks.find(({ place: { from, to } }) => from <= line.to && to >= line.from) ?? null;
}

/** The hunk after or before the current one, or after or before the cursor. */
export function nextHunk(state: EditorState, step: 1 | -1): PlacedHunk | null {
  const { hunks } = state.field(reviewField);
  const current = currentHunk(state);
  if (current) return hunks[neighbour(hunks.length, hunks.indexOf(current), step)] ?? null;
  const head = state.selection.main.head;
  const after =
    step === 1 ? hunks.find((each) => each.place.from > head) : hunks.findLast((each) => each.place.from < head);
  return after ?? hunks[step === 1 ? 0 : hunks.length - 1] ?? null;
}
