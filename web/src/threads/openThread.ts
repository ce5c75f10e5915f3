import { toggleRegion, useShell } from '../app/shell';
import { openView } from '../frames/store';
import type { TaskId, ThreadId, TurnId } from '../wire/gen/types';
import { showThread } from './store';

/** Shows a thread beside the documents, at one of its turns if one is named. */
export function openThread(thread: ThreadId, turn?: TurnId): void {
  toggleRegion('side', true);
  showThread(thread, turn);
}

/** Shows the task of a turn; in a narrow window the side lies over it, and goes. */
export function openTaskOfTurn(task: TaskId): void {
  if (useShell.getState().width === 'narrow') toggleRegion('side', false);
  openView({ kind: 'task', task });
}
