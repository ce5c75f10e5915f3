// Stopping what a cell does.
import { toastFailure } from '../../ui/Toast';
import type { AiCellThread, Thread } from '../../wire/gen/types';
import { failureOf, request } from '../../wire/requests';
import { known } from '../../wire/resource';
import { interrupt } from '../kernel';
import { isUnderWay } from '../runs';
import type { NotebookView } from '../view';

/** Where the threads of a notebook's AI cells are read. */
export const threadsOf = (path: string): string => `notebooks/ai-cells?path=${encodeURIComponent(path)}`;

/** The thread of a cell among them. */
export function threadIn(list: readonly AiCellThread[] | undefined, cellKey: string): Thread | null {
  return list?.find(({ cell }) => cell === cellKey)?.thread ?? null;
}

/** Stops what a cell does: an answer alone; code with all that the kernel runs. */
export async function stopCell(view: NotebookView, cellKey: string, kind: string): Promise<void> {
  const answers = kind === 'ai' && isUnderWay(view.runs.getState().cells.get(cellKey));
  await (answers ? stopAnswer(view, cellKey) : interrupt(view));
}

/** Stops the answer of one cell, and nothing else. */
export async function stopAnswer(view: NotebookView, cellKey: string): Promise<void> {
  const thread = threadIn(await known<AiCellThread[]>(threadsOf(view.path)), cellKey);
  // One whose thread is not known yet has only just begun.
  if (thread === null) return void (await interrupt(view));
  try {
    await request('POST', `threads/${thread.id}/stop`);
  } catch (error) {
    toastFailure(failureOf(error));
  }
}
