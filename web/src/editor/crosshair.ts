/** A crosshair over the text where a drag would select a rectangle. */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

const OVER = 'cm-rectangular';

/**
 * It comes with the pointer's next move and not with Alt itself, which most often begins a key: a cursor is inherited by
 * every token, and an editor that draws all of them anew twice a key is slow to answer it. The class is not the
 * content's, which CodeMirror watches.
 */
export function crosshair(): Extension {
  const show = (view: EditorView, on: boolean) => {
    if (view.dom.classList.contains(OVER) !== on) view.dom.classList.toggle(OVER, on);
  };
  return [
    EditorView.domEventObservers({
      mousemove: (event, view) => show(view, event.altKey),
      keyup: (event, view) => {
        if (!event.altKey) show(view, false);
      },
    }),
    EditorView.theme({ [`&.${OVER} .cm-content`]: { cursor: 'crosshair' } }),
  ];
}
