/** Where somebody is in the PDF of a tab, for as long as the window is open. */
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import type { Zoom } from './zoom';

/** A place on the pages that means the same at every size. */
export interface Spot {
  page: number;
  /** How far down the page the upper edge of what is seen lies, as a share of its height. */
  share: number;
}

/** What is kept of a tab. */
export interface PdfPlace {
  zoom: Zoom;
  dark: boolean;
  spot: Spot;
}

const START: PdfPlace = { zoom: 'width', dark: false, spot: { page: 1, share: -1 } };

const places = new Map<string, PdfPlace>();

/** What is kept of a tab. */
export function keptPlace(tab: string): PdfPlace {
  return places.get(tab) ?? START;
}

/** Keeps what is new of it. */
export function keepPlace(tab: string, change: Partial<PdfPlace>): void {
  places.set(tab, { ...keptPlace(tab), ...change });
}

/**
 * Holds the place while pages come, go, or have another size, and finds it again when the tab was out of sight. Whoever
 * scrolls by a program calls what it returns afterwards.
 */
export function usePlace(tab: string, scroller: RefObject<HTMLDivElement | null>, pages: number, scale: number) {
  const take = useRef(() => {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: at another scale the place is put back before anybody hears of it.
  useLayoutEffect(() => {
    const view = scroller.current;
    if (!view || pages === 0) return;
    let put: number | null = null;
    const hold = () => {
      const top = topOf(view, keptPlace(tab).spot);
      if (Math.abs(view.scrollTop - top) >= 1) view.scrollTop = top;
      put = view.scrollTop;
    };
    take.current = () => {
      // Where pages that went have left it is nowhere that anybody went to.
      if (view.scrollTop !== put) keepPlace(tab, { spot: spotOf(view) });
      put = null;
    };
    const onScroll = () => take.current();
    const observer = new ResizeObserver(hold);
    for (const page of pagesOf(view)) observer.observe(page);
    view.addEventListener('scroll', onScroll);
    hold();
    return () => {
      observer.disconnect();
      view.removeEventListener('scroll', onScroll);
    };
  }, [tab, scroller, pages, scale]);
  return useCallback(() => take.current(), []);
}

function spotOf(view: HTMLElement): Spot {
  const [first, ...rest] = pagesOf(view);
  const page = rest.findLast((one) => one.offsetTop <= view.scrollTop) ?? first;
  if (!page) return START.spot;
  const share = (view.scrollTop - page.offsetTop) / page.offsetHeight;
  return { page: Number(page.dataset.pageNumber), share };
}

function topOf(view: HTMLElement, { page, share }: Spot): number {
  const element = pageElement(view, page);
  // A document that has become shorter shows its end.
  return element ? element.offsetTop + share * element.offsetHeight : view.scrollHeight;
}

/** All pages, drawn or not. */
export function pagesOf(view: HTMLElement | null): HTMLElement[] {
  return [...(view?.querySelectorAll<HTMLElement>('[data-page-number]') ?? [])];
}

/** One page. */
export function pageElement(view: HTMLElement | null, number: number): HTMLElement | null {
  return view?.querySelector<HTMLElement>(`[data-page-number="${number}"]`) ?? null;
}
