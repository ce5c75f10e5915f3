// Shows only the rows in sight of a list that may have more rows than a browser can make an element high. Where the rows
// don't fit, the scrollbar stands for a share of them, and small steps still move row by row.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** The highest element that all browsers lay out exactly, with room to spare. */
export const HIGHEST = 8_000_000;

/** The size of a list, in pixels and rows. */
export interface Extent {
  readonly count: number;
  readonly row: number;
  /** The height of the window on the rows. */
  readonly seen: number;
}

/** Where a list is: its scrollbar, and the row at the top with its fraction. */
export interface RowPlace {
  readonly scrollTop: number;
  readonly top: number;
}

/** The height of all rows, as far as a browser can lay it out. */
export const heightOf = ({ count, row }: Extent): number => Math.min(HIGHEST, count * row);

/** The first row that can be at the top. */
const lastTop = ({ count, row, seen }: Extent): number => Math.max(0, count - seen / row);

/** The place after the scrollbar came to `scrollTop`. Pure. */
export function placeAt(scrollTop: number, before: RowPlace, extent: Extent): RowPlace {
  const { row, seen, count } = extent;
  if (count * row <= HIGHEST) return { scrollTop, top: scrollTop / row };
  const most = HIGHEST - seen;
  if (scrollTop <= 0) return { scrollTop, top: 0 };
  if (scrollTop >= most - 1) return { scrollTop, top: lastTop(extent) };
  const step = scrollTop - before.scrollTop;
  // A wheel moves by rows; a drag of the bar goes to its share.
  const top = Math.abs(step) < 2 * seen ? before.top + step / row : (scrollTop / most) * lastTop(extent);
  return { scrollTop, top: Math.min(lastTop(extent), Math.max(0, top)) };
}

/** The place at which a row is in sight, as near to the place before as can be. Pure. */
export function placeOf(index: number, before: RowPlace, extent: Extent): RowPlace {
  const { row, seen, count } = extent;
  const rows = Math.max(1, Math.floor(seen / row));
  const top = Math.min(lastTop(extent), Math.max(0, Math.min(index, Math.max(before.top, index - rows + 1))));
  const share = lastTop(extent) === 0 ? 0 : top / lastTop(extent);
  return { top, scrollTop: count * row <= HIGHEST ? top * row : share * (HIGHEST - seen) };
}

/** The part of a list to render. */
export interface VirtualRows<E extends HTMLElement> {
  scroller: RefObject<E | null>;
  /** Rows to render: `first` up to, not including, `end`. */
  first: number;
  end: number;
  /** Pixels before the first rendered row, and of the whole list. */
  before: number;
  height: number;
  /** Rows that fit at a time. */
  page: number;
  reveal(index: number): void;
}

/** Rows rendered beyond what is in sight. */
const MARGIN = 6;

/** Follows the scrolling of a list; `head` pixels at its top are always covered. */
export function useVirtualRows<E extends HTMLElement>(count: number, row: number, head = 0): VirtualRows<E> {
  const scroller = useRef<E>(null);
  const [seen, setSeen] = useState(0);
  const [place, setPlace] = useState<RowPlace>({ scrollTop: 0, top: 0 });
  const extent: Extent = { count, row, seen };
  const now = useRef({ extent, place });
  now.current = { extent, place };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => setSeen(Math.max(0, element.clientHeight - head));
    const onScroll = () => {
      const { extent, place } = now.current;
      if (element.scrollTop !== place.scrollTop) setPlace(placeAt(element.scrollTop, place, extent));
    };
    measure();
    element.addEventListener('scroll', onScroll, { passive: true });
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      sizes.disconnect();
    };
  }, [head]);
  const reveal = useCallback((index: number) => {
    const element = scroller.current;
    if (!element) return;
    const { extent, place } = now.current;
    const next = placeOf(index, place, extent);
    if (next.top === place.top) return;
    element.scrollTop = next.scrollTop;
    setPlace({ ...next, scrollTop: element.scrollTop });
  }, []);
  const top = Math.min(place.top, lastTop(extent));
  const first = Math.max(0, Math.floor(top) - MARGIN);
  const end = Math.min(count, Math.ceil(top + seen / row) + MARGIN);
  const before = Math.max(0, place.scrollTop - (top - first) * row);
  return { scroller, first, end, before, height: heightOf(extent), page: Math.max(1, Math.floor(seen / row)), reveal };
}
