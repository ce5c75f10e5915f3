/** A cursor that stands still while the person types, and blinks when they rest. */
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Milliseconds after the last change until the cursor blinks. */
const REST = 500;

/** On the editor's element while the person rests. Not a class: CodeMirror writes the classes of that element anew. */
const RESTS = 'data-rests';

/**
 * CodeMirror begins its blinking anew with every key, and the beginning of an animation is two more frames of the whole
 * page, each as long as the one that shows the letter.
 */
class Blink {
  private timer = 0;

  constructor(private readonly view: EditorView) {
    this.restLater();
  }

  update(update: ViewUpdate): void {
    if (!update.docChanged && !update.selectionSet && !update.focusChanged) return;
    if (this.view.dom.hasAttribute(RESTS)) this.view.dom.removeAttribute(RESTS);
    this.restLater();
  }

  private restLater(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.view.dom.setAttribute(RESTS, ''), REST);
  }

  destroy(): void {
    clearTimeout(this.timer);
  }
}

const rules = EditorView.theme({
  // The name alone is CodeMirror's to write, on the element itself.
  '&.cm-focused > .cm-scroller > .cm-cursorLayer': { animationName: 'none !important' },
  [`&.cm-focused[${RESTS}] > .cm-scroller > .cm-cursorLayer > .cm-cursor`]: {
    animation: 'steps(1) cm-blink 1.2s infinite',
  },
});

/** The extension; it goes with the cursors that CodeMirror draws. */
export const blink: Extension = [ViewPlugin.fromClass(Blink), Prec.highest(rules)];
