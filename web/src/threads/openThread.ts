import { navigate, uncover } from '../app/history';
import { toggleRegion, useShell } from '../app/shell';
import { openView } from '../frames/store';
import { showSide } from '../side/modes';
import { toastFailure } from '../ui/Toast';
import type { TaskId, ThreadId, TurnId } from '../wire/gen/types';
import { useThreads } from './state';
import { isThread, showThread } from './store';

/** Shows a thread beside the documents, at one of its turns if one is named. */
export function openThread(thread: ThreadId, turn?: TurnId): void {
  showSide('assistant');
  showThread(thread, turn);
}

/** Shows the thread that a link names; says so if it is not one of this workspace. */
export async function openLinkedThread(thread: ThreadId): Promise<void> {
  openThread(thread);
  useShell.setState({ full: true });
  if ((await isThread(thread)) || useThreads.getState().current !== thread) return;
  showThread(null);
  fullPage(false);
  toastFailure({
    code: 'not_found',
    message: 'the linked thread is not in this workspace',
    hint: 'it may be in another workspace or deleted',
    data: null,
  });
}

/** Gives the thread that is shown the place of the documents and the URL, or puts it beside them again. */
export function fullPage(to: boolean): void {
  if (!to) return uncover();
  const thread = useThreads.getState().current;
  useShell.setState({ full: true });
  if (thread) navigate({ kind: 'thread', thread });
}

/** Shows the task of a turn; in a narrow window the side lies over it, and goes. */
export function openTaskOfTurn(task: TaskId): void {
  if (useShell.getState().width === 'narrow') toggleRegion('side', false);
  openView({ kind: 'task', task });
}
