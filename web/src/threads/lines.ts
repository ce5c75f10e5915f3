/** From an edit to the lines it left, and from lines to the threads that changed them. */
import { openPalette } from '../app/shell';
import { openFile } from '../frames/store';
import { announce } from '../ui/Announcer';
import { toastFailure } from '../ui/Toast';
import type { ActionId, ThreadEdits, WorkspacePath } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidate } from '../wire/resource';
import { editsPath, firstLine } from './editedLines';

/** Goes to the first line that an action, or its parts, left in a file as it is now. */
export async function goToLines(action: ActionId, path: WorkspacePath): Promise<void> {
  try {
    const { edits } = await request<ThreadEdits>('GET', editsPath(path));
    const line = firstLine(action, edits);
    openFile(path, { line: line ?? undefined });
    announce(line === null ? 'Later edits replaced these lines' : `Line ${line}`);
  } catch (error) {
    toastFailure(failureOf(error));
  }
}

/** Lists the threads that changed the lines that are looked at. */
export function findThreadsOfLines(path: WorkspacePath): void {
  invalidate(editsPath(path));
  openPalette('lines');
}
