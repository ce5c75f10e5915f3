// The keyboard is not lost when the document that had it makes way for another one.
import { openView, useFrames } from '../frames/store';
import { activeTab, focusedPane } from '../frames/tree';

/** Milliseconds after a letter within which somebody is taken to be still writing. */
const WRITING = 1500;
/** Milliseconds until a dialog that was open has closed. */
const SOON = 400;

let lastLetter = Number.NEGATIVE_INFINITY;

window.addEventListener(
  'keydown',
  ({ target }) => {
    if (target instanceof HTMLElement && target.isContentEditable) lastLetter = performance.now();
  },
  { capture: true, passive: true },
);

/** Changes what the documents show. If that takes the place away that had the keyboard, the focused document gets it; its tab,
 *  if somebody is writing just now: their next letters are not meant for another document. */
export function keepingKeyboard<T>(work: () => T): T {
  const had = document.activeElement !== document.body;
  const result = work();
  if (had) {
    requestAnimationFrame(() => requestAnimationFrame(rescue));
    setTimeout(rescue, SOON);
  }
  return result;
}

function rescue(): void {
  if (document.activeElement !== document.body || document.querySelector('dialog[open]')) return;
  const tab = activeTab(focusedPane(useFrames.getState().frames));
  if (!tab) return;
  if (performance.now() - lastLetter < WRITING) document.getElementById(tab.id)?.focus();
  else openView(tab.view, { focus: true });
}
