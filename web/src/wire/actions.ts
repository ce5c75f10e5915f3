// The requests by which anything is done: ask, decide, stop, take back.

import { useConnection } from './connection';
import type { ActionId, Decision, DecisionOn, Decisions, DecisionTaken, SubmitAction, Submitted } from './gen/types';
import { failureOf, newKey, request } from './requests';
import { windowId } from './windowId';

/** Milliseconds within which a server that was lost has to be back for a request to be sent again. */
const BACK_WITHIN = 10_000;

/** Settings that hold in all windows of the person, though they are asked for as a thing of the window. */
const OF_ALL_WINDOWS = new Set(['ui.theme', 'ui.zoom']);

const isOfOneWindow = (action: string) => action.startsWith('ui.') && !OF_ALL_WINDOWS.has(action);

/** Asks for an action; the same `idempotency_key` runs once. What is done in a window is done in this one, unless it names another. */
export function submitAction(action: SubmitAction): Promise<Submitted> {
  const body = { idempotency_key: newKey(), ...action };
  const named = (action.args as { window?: string } | null)?.window;
  if (isOfOneWindow(action.action_type) && named === undefined) body.target = { window: windowId(), ...action.target };
  return untilAnswered(() => request('POST', 'actions', body));
}

/** Tells whether nobody knows what became of a request: it, or its answer, was lost. */
export function isLost(error: unknown): boolean {
  return failureOf(error).code === 'offline';
}

/** Sends what has a key once more if its answer was lost: the server answers with what came of it the first time. */
export async function untilAnswered<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isLost(error) || !(await isBack())) throw error;
    return send();
  }
}

/** Waits until the server is there, as the one connection sees it. */
function isBack(): Promise<boolean> {
  if (useConnection.getState().status === 'online') return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (back: boolean) => {
      clearTimeout(timer);
      unsubscribe();
      resolve(back);
    };
    const timer = setTimeout(() => end(false), BACK_WITHIN);
    const unsubscribe = useConnection.subscribe(({ status }) => status === 'online' && end(true));
  });
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
  return untilAnswered(() => request('POST', `actions/${id}/undo`, { idempotency_key: key }));
}
