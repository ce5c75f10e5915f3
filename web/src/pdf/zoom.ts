/** How large pages are shown. Pure. */

/** A share of the page's own size, or as wide as there is room. */
export type Zoom = number | 'width';

const STEPS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
/** Pixels beside a page. */
const MARGIN = 24;

/** The scale that a zoom means where a page of this width, in points, has so many pixels. */
export function fitted(zoom: Zoom, room: number, width: number): number {
  if (zoom !== 'width') return zoom;
  return Math.min(4, Math.max(0.25, (room - MARGIN) / width));
}

/** The next larger or smaller step. */
export function stepped(scale: number, by: 1 | -1): number {
  const found = by > 0 ? STEPS.find((step) => step > scale + 0.01) : STEPS.findLast((step) => step < scale - 0.01);
  return found ?? scale;
}
