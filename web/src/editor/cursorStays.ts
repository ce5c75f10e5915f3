/** Keeps the line of the cursor in sight when there is less room for the text: a pane opens below, a window shrinks. */
import type { Extension } from '@codemirror/state';
import { EditorView, ViewPlugin } from '@codemirror/view';

/** `height` is how high the text stood before, in pixels, if it was shown in another place; 0 if it was not. */
export function cursorStays(height: number): Extension {
  return ViewPlugin.define((view) => {
    let before = height;
    const observer = new ResizeObserver(() => {
      const now = view.scrollDOM.clientHeight;
      if (now > 0 && now < before && wasSeen(view, before)) {
        view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { y: 'nearest' }) });
      }
      if (now > 0) before = now;
    });
    observer.observe(view.scrollDOM);
    return { destroy: () => observer.disconnect() };
  });
}

/** Whether the cursor's line stood in the part that was shown while the text was so high. */
function wasSeen(view: EditorView, height: number): boolean {
  const line = view.lineBlockAt(view.state.selection.main.head);
  const top = line.top - view.scrollDOM.scrollTop;
  return top >= 0 && top + line.height <= height;
}
