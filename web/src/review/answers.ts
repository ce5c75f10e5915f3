/** What the answers to shown changes do: to parts of an action that waits, or to changes of a step of a plan that does. */
import { accept, answerTo, reject, useActions } from '../actions/store';
import { isAllInText } from '../tasks/parts';
import { answerParts, confirmPlan, planAnswerTo, usePlans } from '../tasks/plans';
import type { Choice } from '../wire/gen/types';
import type { OpenHunk } from './hunks';

/** Answers some changes of one proposal; the reason is told to the model. */
export function answerHunks(hunks: readonly OpenHunk[], choice: Choice, reason?: string): Promise<boolean> {
  const [first] = hunks;
  if (!first) return Promise.resolve(false);
  if (first.of.kind === 'step') {
    const { task, step } = first.of;
    return answerParts({ task, step, keys: hunks.map(({ of }) => (of.kind === 'step' ? of.key : '')) }, choice, reason);
  }
  const answer = { parts: hunks.map(({ part }) => part), ...(reason && { reason }) };
  return choice === 'approve' ? accept(first.of.action, answer) : reject(first.of.action, answer);
}

/** Accepts all of what a change is a part of; of a plan with steps that no editor shows, the given changes. */
export function acceptWhole({ of }: OpenHunk, here: readonly OpenHunk[]): Promise<boolean> {
  if (of.kind === 'action') return accept(of.action);
  const plan = usePlans.getState().plans.get(of.task)?.plan;
  return plan && isAllInText(plan) ? confirmPlan(of.task) : answerHunks(here, 'approve');
}

/** The answer to a change that is on its way, or the yes that is kept for it. */
export function answerOf({ of, part, accepted }: OpenHunk): Choice | null {
  const pending =
    of.kind === 'action'
      ? answerTo(useActions.getState().deciding, of.action, part)
      : planAnswerTo(usePlans.getState(), of.task, of.step, of.key);
  return pending ?? (accepted ? 'approve' : null);
}
