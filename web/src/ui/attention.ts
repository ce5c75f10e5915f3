// When a person last pressed something. What loads late must not pull the keyboard out of a field that they
// have gone on to since.
let lastPress = 0;

for (const kind of ['keydown', 'pointerdown'] as const) {
  window.addEventListener(kind, () => (lastPress = performance.now()), { capture: true, passive: true });
}

/** Tells whether somebody who asked for the keyboard at a time is by now writing elsewhere. */
export function writesElsewhere(askedAt: number): boolean {
  const element = document.activeElement;
  const writes =
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLElement && element.isContentEditable);
  return writes && lastPress > askedAt;
}
