// An action asked for by a button: ask, let the person decide if the policy says so, say how it ended.
//
//   const done = await doAction({ action_type: 'file.move', args: { from, to } }, { done: 'Renamed' });
import { create } from 'zustand';
import { learn } from '../actions/store';
import { toast, toastFailure } from '../ui/Toast';
import { decideAction, isLost, submitAction, undoAction } from '../wire/actions';
import type { ActionId, ActionLine, ActionRecord, Failure, SubmitAction, Submitted } from '../wire/gen/types';
import { failureOf, newKey, RequestFailed, requestLines } from '../wire/requests';

/** A request that waits for the person, and what continues it. */
export interface Asked {
  record: ActionRecord;
  answer(approved: boolean): void;
}

/** The request whose dialog shows. */
export const useAsked = create<{ asked: Asked | null }>(() => ({ asked: null }));

interface Words {
  /** What to say when it is done; nothing if absent. */
  done?: string;
  /** It runs. */
  begun?(id: ActionId): void;
  /** It has ended. */
  ended?(submitted: Submitted): void;
}

/** Does an action; tells whether it was done. Failures are shown. */
export async function doAction(action: SubmitAction, words: Words = {}): Promise<boolean> {
  try {
    return ended(await decided(await submit(action, words), words), words);
  } catch (error) {
    toastFailure(failureOf(error));
    return false;
  }
}

/** Asks for it; where somebody wants to know that it runs, that is told as it happens. */
async function submit(action: SubmitAction, { begun }: Words): Promise<Submitted> {
  if (!begun) return submitAction(action);
  const body = { idempotency_key: newKey(), ...action };
  try {
    for await (const line of requestLines<ActionLine>('actions?stream=true', body, new AbortController().signal)) {
      if ('begun' in line) begun(line.begun);
      if ('ended' in line) return line.ended;
      if ('failed' in line) throw new RequestFailed(0, line.failed);
    }
  } catch (error) {
    if (!isLost(error)) throw error;
  }
  // The end was lost. Its key tells what came of it.
  return submitAction(body);
}

async function decided(submitted: Submitted, words: Words = {}): Promise<Submitted> {
  if (submitted.state !== 'awaiting_confirmation') return submitted;
  const approved = await ask(submitted.record);
  if (approved) words.begun?.(submitted.id);
  const hash = submitted.record.approval_hash ?? undefined;
  // What was shown is what is approved; if it has moved on meanwhile, the server asks again.
  const next = await decideAction(submitted.id, { decision: approved ? 'approve' : 'reject', hash });
  return approved ? decided(next, words) : next;
}

function ask(record: ActionRecord): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (approved: boolean) => {
      useAsked.setState({ asked: null });
      resolve(approved);
    };
    useAsked.setState({ asked: { record, answer } });
  });
}

function ended(submitted: Submitted, words: Words): boolean {
  const { state, outcome, record } = submitted;
  learn(record);
  words.ended?.(submitted);
  if (state === 'done') {
    if (words.done)
      toast(words.done, record.can_undo ? { label: 'Undo', run: () => void takeBack(record) } : undefined);
    return true;
  }
  const rejected = outcome?.kind === 'refused' && outcome.by === 'person';
  if (!rejected) toastFailure(failureIn(submitted));
  return false;
}

async function takeBack(record: ActionRecord): Promise<void> {
  try {
    ended(await decided(await undoAction(record.envelope.id)), { done: 'Undone' });
  } catch (error) {
    toastFailure(failureOf(error));
  }
}

function failureIn({ outcome, envelope }: Submitted): Failure {
  if (outcome && 'failure' in outcome) return outcome.failure;
  const message = outcome?.kind === 'interrupted' ? outcome.reason : `${envelope.action_type} did not run.`;
  return { code: 'not_done', message, data: null };
}
