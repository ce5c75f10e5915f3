// Which cells are in sight or nearly so: only these have an editor, and only from then on their outputs are drawn.
import { createContext, type RefObject, useContext, useEffect, useState } from 'react';

/** How far from what is in sight, in pixels. */
const MARGIN = 600;

/** Tells elements of one scroller when they come near. */
export class Nearness {
  private observer: IntersectionObserver | null = null;
  private readonly listeners = new Map<Element, (near: boolean) => void>();

  /** Begins, with the element that scrolls. */
  start(root: Element | null): () => void {
    this.observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) this.listeners.get(target)?.(isIntersecting);
      },
      { root, rootMargin: `${MARGIN}px 0px` },
    );
    for (const element of this.listeners.keys()) this.observer.observe(element);
    return () => this.observer?.disconnect();
  }

  watch(element: Element, listener: (near: boolean) => void): () => void {
    this.listeners.set(element, listener);
    this.observer?.observe(element);
    return () => {
      this.listeners.delete(element);
      this.observer?.unobserve(element);
    };
  }
}

/** The one around a component. */
export const NearnessContext = createContext<Nearness | null>(null);

/** Tells whether an element is near, and whether it ever was. */
export function useNear(element: RefObject<Element | null>): { near: boolean; seen: boolean } {
  const nearness = useContext(NearnessContext);
  const [state, setState] = useState({ near: false, seen: false });
  useEffect(() => {
    if (!nearness || !element.current) return;
    return nearness.watch(element.current, (near) => setState(({ seen }) => ({ near, seen: seen || near })));
  }, [nearness, element]);
  return state;
}
