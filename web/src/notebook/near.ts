// Which cells are in sight or nearly so: only these have an editor, and only from then on their outputs are drawn. While
// somebody scrolls, nothing costly is done: outputs are drawn a few a frame, and editors come when it rests.
import { createContext, type RefObject, useContext, useEffect, useState } from 'react';

/** How far from what is in sight, in pixels. */
const MARGIN = 600;

/** Milliseconds without a scroll after which it rests. */
const REST = 120;

/**
 * Cells a frame that are told. They are drawn together when all are told: each apart would have React look through the
 * thousand beside it every time.
 */
const MOST = 4;

/** How a cell stands to what is in sight. */
export interface Near {
  /** It may have an editor. */
  readonly near: boolean;
  /** It was near at some time. */
  readonly seen: boolean;
}

interface Watched {
  near: Near;
  isNear: boolean;
  tell(near: Near): void;
}

/** Tells elements of one scroller when they come near. */
export class Nearness {
  private observer: IntersectionObserver | null = null;
  private readonly watched = new Map<Element, Watched>();
  /** What is to be told, the oldest first. */
  private readonly changed = new Set<Element>();
  private scrolled = Number.NEGATIVE_INFINITY;
  private frame = 0;

  /** Begins, with the element that scrolls. */
  start(root: Element | null): () => void {
    this.observer = new IntersectionObserver((entries) => this.crossed(entries), {
      root,
      rootMargin: `${MARGIN}px 0px`,
    });
    for (const element of this.watched.keys()) this.observer.observe(element);
    const onScroll = () => {
      this.scrolled = performance.now();
    };
    root?.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      this.observer?.disconnect();
      root?.removeEventListener('scroll', onScroll);
      cancelAnimationFrame(this.frame);
      this.frame = 0;
    };
  }

  watch(element: Element, tell: (near: Near) => void): () => void {
    this.watched.set(element, { near: { near: false, seen: false }, isNear: false, tell });
    this.observer?.observe(element);
    return () => {
      this.watched.delete(element);
      this.changed.delete(element);
      this.observer?.unobserve(element);
    };
  }

  private crossed(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const watched = this.watched.get(target);
      if (!watched || watched.isNear === isIntersecting) continue;
      watched.isNear = isIntersecting;
      this.changed.add(target);
    }
    if (this.changed.size > 0 && this.frame === 0) this.soon();
  }

  private soon(): void {
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0;
      this.draw(now - this.scrolled > REST);
      if (this.changed.size > 0) this.soon();
    });
  }

  /** What was passed by is forgotten; one editor a frame comes or goes. */
  private draw(rests: boolean): void {
    let [editors, told] = [1, 0];
    for (const element of [...this.changed]) {
      const watched = this.watched.get(element);
      const next = watched && after(watched, rests && editors > 0);
      if (!watched || !next || same(next, wanted(watched))) this.changed.delete(element);
      if (!watched || !next || same(next, watched.near)) continue;
      if (next.near !== watched.near.near) editors--;
      watched.near = next;
      watched.tell(next);
      if (++told === MOST) return;
    }
  }
}

const wanted = ({ isNear, near }: Watched): Near => ({ near: isNear, seen: near.seen || isNear });

/** How it may stand now: an editor waits for rest. */
function after(watched: Watched, mayChange: boolean): Near {
  const { near, seen } = wanted(watched);
  return { near: mayChange ? near : watched.near.near, seen };
}

const same = (one: Near, other: Near) => one.near === other.near && one.seen === other.seen;

/** The one around a component. */
export const NearnessContext = createContext<Nearness | null>(null);

/** Tells whether an element is near, and whether it ever was. */
export function useNear(element: RefObject<Element | null>): Near {
  const nearness = useContext(NearnessContext);
  const [state, setState] = useState<Near>({ near: false, seen: false });
  useEffect(() => {
    if (!nearness || !element.current) return;
    return nearness.watch(element.current, setState);
  }, [nearness, element]);
  return state;
}
