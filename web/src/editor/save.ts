import { doAction } from '../app/actionFlow';
import { isGuest } from '../app/session';
import { untilSynced } from '../documents/unsynced';
import { toast, toastFailure } from '../ui/Toast';
import { failureOf } from '../wire/requests';

/** Writes a file now. Every change is written by itself soon after; a person who asks for it gets it at once. */
export async function saveFile(path: string): Promise<void> {
  try {
    await untilSynced();
  } catch (error) {
    return toastFailure(failureOf(error));
  }
  // A guest's changes are written by the server, a moment later.
  if (isGuest()) return toast('Saved automatically');
  await doAction({ action_type: 'doc.checkpoint', args: { path } }, { done: 'Saved' });
}
