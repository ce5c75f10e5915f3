/** Which of two records of one action stands: they come by several ways, and not in order. Pure. */
import type { ActionRecord, ActionState } from '../wire/gen/types';

const ORDER: Record<ActionState, number> = {
  proposed: 0,
  awaiting_confirmation: 1,
  running: 2,
  done: 3,
  failed: 3,
  refused: 3,
  interrupted: 3,
  undone: 3,
};

/**
 * Tells whether a record that has just come replaces the one that is known. Nothing goes back to an earlier
 * state, and no decision on a part is taken back; else the one that came last stands.
 */
export function newer(come: ActionRecord, known: ActionRecord): boolean {
  if (ORDER[come.state] !== ORDER[known.state]) return ORDER[come.state] > ORDER[known.state];
  return come.parts.length >= known.parts.length;
}

/** Tells whether an action that waits was asked again with another preview, because the document changed. */
export function wasRenewed(come: ActionRecord, known: ActionRecord): boolean {
  const waiting = come.state === 'awaiting_confirmation' && known.state === come.state;
  return waiting && come.parts.length === known.parts.length && come.approval_hash !== known.approval_hash;
}
