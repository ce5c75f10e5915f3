// A press that has not ended: the right button opens a menu when it goes down, and a popover that is shown in the middle of a
// press is closed by its end.

let isDown = false;
document.addEventListener('pointerdown', () => (isDown = true), true);
for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => (isDown = false), true);

/** Calls at once, or after the press that goes on; returns what takes it back. */
export function afterPress(then: () => void): () => void {
  if (!isDown) {
    then();
    return () => {};
  }
  let timer = 0;
  const onUp = () => {
    timer = window.setTimeout(then);
  };
  document.addEventListener('pointerup', onUp, { once: true });
  return () => {
    document.removeEventListener('pointerup', onUp);
    clearTimeout(timer);
  };
}
