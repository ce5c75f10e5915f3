// A press that has not ended: the right button opens a menu when it goes down, and a popover that is shown in the middle of a
// press is closed by its end.

/** A finger that stays down opens a menu, too, and then its press is cancelled. */
const ENDS = ['pointerup', 'pointercancel'] as const;

let isDown = false;
document.addEventListener('pointerdown', () => (isDown = true), true);
for (const end of ENDS) document.addEventListener(end, () => (isDown = false), true);

/** Calls at once, or after the press that goes on; returns what takes it back. */
export function afterPress(then: () => void): () => void {
  if (!isDown) {
    then();
    return () => {};
  }
  let timer = 0;
  const onEnd = () => {
    unlisten();
    timer = window.setTimeout(then);
  };
  const unlisten = () => {
    for (const end of ENDS) document.removeEventListener(end, onEnd);
  };
  for (const end of ENDS) document.addEventListener(end, onEnd);
  return () => {
    unlisten();
    clearTimeout(timer);
  };
}
