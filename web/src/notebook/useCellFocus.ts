// Where the person is in a notebook, for the assistant: sent with a message, shown as a chip.
import { useEffect } from 'react';
import { setFocus, useFocus } from '../editor/focus';
import type { NotebookView } from './view';

/** Says which cell has the attention for as long as the pane has it. */
export function useCellFocus(view: NotebookView, focused: boolean): void {
  useEffect(() => {
    if (!focused) return;
    const say = () => {
      const { active } = view.shown.getState().selection;
      setFocus({ path: view.path, ...(active !== null && { cell: active }) });
    };
    say();
    const stop = view.shown.subscribe(({ selection }, before) => {
      if (selection !== before.selection) say();
    });
    return () => {
      stop();
      if (useFocus.getState().focus?.path === view.path) setFocus(null);
    };
  }, [view, focused]);
}
