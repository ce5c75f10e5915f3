// Where the person is in a notebook, for the assistant: sent with a message, shown as a chip.
import { useEffect } from 'react';
import { setFocus, useFocus } from '../editor/focus';
import type { NotebookView } from './view';

/** Says which notebook has the attention for as long as its pane has it. */
export function useCellFocus(view: NotebookView, focused: boolean): void {
  useEffect(() => {
    if (!focused) return;
    setFocus({ path: view.path });
    return () => {
      if (useFocus.getState().focus?.path === view.path) setFocus(null);
    };
  }, [view, focused]);
}
