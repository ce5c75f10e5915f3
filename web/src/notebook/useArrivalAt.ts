// Puts the keyboard onto a cell when somebody came to the notebook.
import { type RefObject, useEffect } from 'react';
import { useArrival } from '../frames/useArrival';
import { only } from './selection';
import type { NotebookView } from './view';

/** The active cell, else the first one; it is selected without being looked for, so that keys have something to act on. */
export function useArrivalAt(view: NotebookView, scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { selection } = view.shown.getState();
    const first = view.observed.keys()[0];
    if (selection.active === null && first !== undefined) view.shown.setState({ selection: only(first) });
  }, [view]);
  useArrival(view.tab, () => {
    const { active } = view.shown.getState().selection;
    return scroller.current?.querySelector<HTMLElement>(
      active === null ? '[data-cell], button' : `[data-cell="${CSS.escape(active)}"]`,
    );
  });
}
