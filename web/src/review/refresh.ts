/** Has a change that no longer fits proposed again. */
import { reject, useActions } from '../actions/store';
import type { OpenHunk } from './hunks';

/** What is told to the model when the lines of a proposal have changed under it. */
export const REPLAN =
  'The lines have changed since this was proposed. Read them again and propose it for the text as it is now.';

/** Takes a change back that no longer fits, and has its thread propose it for the text as it is now. */
export async function refresh({ action, part }: OpenHunk): Promise<void> {
  const origin = useActions.getState().records.get(action)?.origin;
  const rejected = await reject(action, { reason: REPLAN, parts: [part] });
  if (rejected && origin?.kind === 'turn') await (await import('../threads/proposeAgain')).proposeAgain(origin.thread);
}
