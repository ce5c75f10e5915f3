import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** Pixels between a panel and what it opens from, and between it and the edge of the window. */
const GAP = 4;
const EDGE = 8;

/** Opens a popover above or below its anchor, wherever there is more room; tells when it was closed. */
export function usePlaced(
  anchor: RefObject<HTMLElement | null>,
  onClose: () => void,
): RefObject<HTMLDivElement | null> {
  const panel = useRef<HTMLDivElement>(null);
  const latest = useRef(onClose);
  latest.current = onClose;
  useLayoutEffect(() => {
    const element = panel.current;
    if (!element) return;
    const opener = document.activeElement;
    place(element, anchor.current);
    element.showPopover();
    element.querySelector('input')?.focus();
    return () => {
      if (element.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus();
    };
  }, [anchor]);
  useEffect(() => {
    const element = panel.current;
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') latest.current();
    };
    // Also when a keyboard comes up on the screen.
    const onResize = () => element && place(element, anchor.current);
    element?.addEventListener('toggle', onToggle);
    window.addEventListener('resize', onResize);
    return () => {
      element?.removeEventListener('toggle', onToggle);
      window.removeEventListener('resize', onResize);
    };
  }, [anchor]);
  return panel;
}

function place(panel: HTMLElement, anchor: HTMLElement | null): void {
  const box = anchor?.getBoundingClientRect();
  if (!box) return;
  const above = box.top > innerHeight - box.bottom;
  panel.style.setProperty('left', 'auto');
  panel.style.setProperty('right', `${Math.max(EDGE, Math.min(innerWidth - box.right, EDGE))}px`);
  panel.style.setProperty('bottom', above ? `${innerHeight - box.top + GAP}px` : 'auto');
  panel.style.setProperty('top', above ? 'auto' : `${box.bottom + GAP}px`);
  panel.style.setProperty('--room', `${(above ? box.top : innerHeight - box.bottom) - GAP - EDGE}px`);
}
