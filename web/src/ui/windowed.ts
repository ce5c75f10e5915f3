// Shows only the rows of a long list that are in sight. All rows have the height `--row`.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** What a windowed list has to render. */
export interface Windowed<E extends HTMLElement> {
  /** The element that scrolls. */
  scroller: RefObject<E | null>;
  /** Rows to render: `first` up to, not including, `end`. */
  first: number;
  end: number;
  /** Pixels before the first rendered row, and of the whole list. */
  before: number;
  height: number;
  /** Scrolls so that a row is in sight. */
  reveal(index: number): void;
}

/** Rows rendered beyond what is in sight. */
const MARGIN = 8;

/** Follows the scrolling of a list of `count` rows. */
export function useWindowed<E extends HTMLElement>(count: number): Windowed<E> {
  const scroller = useRef<E>(null);
  const [box, setBox] = useState({ top: 0, height: 0, row: 28 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => setBox({ top: element.scrollTop, height: element.clientHeight, row: rowHeight(element) });
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, []);
  const first = Math.max(0, Math.min(count, Math.floor(box.top / box.row)) - MARGIN);
  const end = Math.min(count, Math.ceil((box.top + box.height) / box.row) + MARGIN);
  const reveal = (index: number) => {
    const element = scroller.current;
    if (!element) return;
    const top = index * box.row;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + box.row > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + box.row - element.clientHeight;
    }
  };
  return { scroller, first, end, before: first * box.row, height: count * box.row, reveal };
}

function rowHeight(element: HTMLElement): number {
  const value = getComputedStyle(element).getPropertyValue('--row').trim();
  const pixels = Number.parseFloat(value) * (value.endsWith('rem') ? rem() : 1);
  return pixels > 0 ? pixels : 28;
}

function rem(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
