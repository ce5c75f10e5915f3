/** Keeps the line of the cursor in sight when there is less room for the text: a pane opens below, a window shrinks. */
import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';

/** Pixels below the line of the cursor. */
const MARGIN = 10;

/** `height` is how high the text stood before, in pixels, if it was shown in another place; 0 if it was not. */
export function cursorStays(height: number): Extension {
  return ViewPlugin.define((view) => {
    let before = height;
    const observer = new ResizeObserver(() => {
      const now = view.scrollDOM.clientHeight;
      if (now > 0 && now < before && wasSeen(view, before)) bringUp(view, now);
      if (now > 0) before = now;
    });
    observer.observe(view.scrollDOM);
    return { destroy: () => observer.disconnect() };
  });
}

/** Scrolls up and down only: sideways, the first characters of all lines would go out of sight. */
function bringUp(view: EditorView, height: number): void {
  const { scrollDOM } = view;
  const { bottom } = view.lineBlockAt(view.state.selection.main.head);
  if (bottom + MARGIN > scrollDOM.scrollTop + height) scrollDOM.scrollTop = bottom + MARGIN - height;
}

/** Whether the cursor's line stood in the part that was shown while the text was so high. */
function wasSeen(view: EditorView, height: number): boolean {
  const line = view.lineBlockAt(view.state.selection.main.head);
  const top = line.top - view.scrollDOM.scrollTop;
  return top >= 0 && top + line.height <= height;
}
