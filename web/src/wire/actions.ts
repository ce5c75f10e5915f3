// The requests by which anything is done: ask, decide, stop, take back.
import type { ActionId, Decision, DecisionOn, Decisions, DecisionTaken, SubmitAction, Submitted } from './gen/types';
import { newKey, request } from './requests';

/** Asks for an action; the same `idempotency_key` runs once. */
export function submitAction(action: SubmitAction): Promise<Submitted> {
  return request('POST', 'actions', { idempotency_key: newKey(), ...action });
}

/** Answers a request that waits for a person. */
export function decideAction(id: ActionId, decision: Decision): Promise<Submitted> {
  return request('POST', `actions/${id}/decision`, decision);
}

/** As many answers as one message takes. */
export const MOST_DECISIONS = 100;

/** Answers several in one message, in order; one that is not taken keeps no other from being taken. */
export function decideActions(decisions: DecisionOn[]): Promise<DecisionTaken[]> {
  return request('POST', 'actions/decisions', { decisions } satisfies Decisions);
}

/** Asks a running action to end. */
export function stopAction(id: ActionId): Promise<Submitted> {
  return request('POST', `actions/${id}/stop`);
}

/** Takes an action back. */
export function undoAction(id: ActionId, key = newKey()): Promise<Submitted> {
  return request('POST', `actions/${id}/undo`, { idempotency_key: key });
}
