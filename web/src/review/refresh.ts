/** Has a change that no longer fits proposed again. */
import { useActions } from '../actions/store';
import { usePlans } from '../tasks/plans';
import type { ThreadId } from '../wire/gen/types';
import { answerHunks } from './answers';
import type { OpenHunk } from './hunks';

/** What is told to the model when the lines of a proposal have changed under it. */
export const REPLAN =
  'The lines changed after this proposal. Read them again and propose the change for the current text.';

/** Takes a change back that no longer fits, and has its thread propose it for the text as it is now. */
export async function refresh(hunk: OpenHunk): Promise<void> {
  const thread = threadOf(hunk);
  const rejected = await answerHunks([hunk], 'reject', REPLAN);
  if (rejected && thread) await (await import('../threads/proposeAgain')).proposeAgain(thread);
}

function threadOf({ of }: OpenHunk): ThreadId | null {
  if (of.kind === 'step') return usePlans.getState().plans.get(of.task)?.task.thread ?? null;
  const origin = useActions.getState().records.get(of.action)?.origin;
  return origin?.kind === 'turn' ? origin.thread : null;
}
