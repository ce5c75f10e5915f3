// Puts the keyboard onto a cell when somebody came to the notebook.
import { type RefObject, useEffect } from 'react';
import { useArrival } from '../frames/useArrival';
import { select } from './edits';
import { keepCell, lastCell } from './lastCell';
import { only } from './selection';
import type { NotebookView } from './view';

/**
 * The active cell, else the one that was active before a reload, else the first one; it is selected without being looked for,
 * so that keys have something to act on. Where nothing has the keyboard, it gets it.
 */
export function useArrivalAt(view: NotebookView, focused: boolean, scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const [order, last] = [view.observed.keys(), lastCell(view.path)];
    const key = last !== null && order.includes(last) ? last : order[0];
    if (view.shown.getState().selection.active === null && key !== undefined) {
      view.shown.setState({ selection: only(key) });
    }
    return view.shown.subscribe(({ selection }, before) => {
      if (selection.active !== null && selection.active !== before.selection.active) {
        keepCell(view.path, selection.active);
      }
    });
  }, [view]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it comes, not when its pane is pressed
  useEffect(() => {
    const { selection } = view.shown.getState();
    if (focused && selection.active !== null && document.activeElement === document.body) select(view, selection);
  }, [view]);
  useArrival(view.tab, () => {
    const { active } = view.shown.getState().selection;
    return scroller.current?.querySelector<HTMLElement>(
      active === null ? '[data-cell], button' : `[data-cell="${CSS.escape(active)}"]`,
    );
  });
}
