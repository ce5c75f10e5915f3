import { type RefObject, useEffect } from 'react';

/**
 * Keeps the keyboard near where it was: when the button that has it goes or can't be pressed any more, what stood
 * around it gets the focus, and the next Tab goes on from there. `surroundings` can be focused itself.
 */
export function useKeepFocus(surroundings: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const around = surroundings.current;
    if (!around) return;
    /** From what has the focus outwards. */
    let path: readonly Element[] = [];
    const lost = new MutationObserver(() => {
      const { activeElement } = document;
      if (activeElement && activeElement !== document.body && !activeElement.matches(':disabled')) return;
      const heir = path.find((each) => each.isConnected && each.hasAttribute('tabindex') && around.contains(each));
      if (heir instanceof HTMLElement) heir.focus({ preventScroll: true });
    });
    const follow = ({ target }: Event) => {
      if (target instanceof Element && around.contains(target)) {
        path = outwards(target);
        lost.observe(around, { subtree: true, childList: true, attributeFilter: ['disabled'] });
      } else lost.disconnect();
    };
    // A press beside everything takes the focus away on purpose.
    const leave = ({ target }: Event) => {
      if (!around.contains(target as Node)) lost.disconnect();
    };
    document.addEventListener('focusin', follow);
    document.addEventListener('pointerdown', leave);
    return () => {
      lost.disconnect();
      document.removeEventListener('focusin', follow);
      document.removeEventListener('pointerdown', leave);
    };
  }, [surroundings]);
}

function outwards(element: Element): Element[] {
  const path: Element[] = [];
  for (let each: Element | null = element; each; each = each.parentElement) path.push(each);
  return path;
}
