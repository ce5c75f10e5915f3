// Stopping what a cell does.
import { interrupt, interruptCell } from '../kernel';
import { isUnderWay } from '../runs';
import type { NotebookView } from '../view';

/** Stops what a cell does, and nothing else; whatever the kernel does if this cell does nothing. */
export async function stopCell(view: NotebookView, cellKey: string): Promise<void> {
  await (isUnderWay(view.runs.getState().cells.get(cellKey)) ? interruptCell(view, cellKey) : interrupt(view));
}
