/** Has a thread propose again what no longer fits. */
import { untilSynced } from '../documents/unsynced';
import { useFocus } from '../editor/focus';
import { toastFailure } from '../ui/Toast';
import type { StartTurn, ThreadId } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';

const AGAIN = 'I rejected this change because its lines have changed. Read them again and propose a new change.';

/** Asks for it, unless a turn goes on: that one has heard of it. */
export async function proposeAgain(thread: ThreadId): Promise<void> {
  const { focus } = useFocus.getState();
  const body: StartTurn = { text: AGAIN, ...(focus && { focus }) };
  try {
    await untilSynced();
    await request('POST', `threads/${thread}/turns`, body);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code !== 'busy') toastFailure(failure);
  }
}
