// Where the notes of a small graph stand: the first in the middle, the others around it. Pure.

/** The size of the drawing. */
export const SIZE = { width: 360, height: 300 };

/** A place in the drawing. */
export interface GraphPlace {
  readonly x: number;
  readonly y: number;
}

/** The most notes of the inner ring. */
const INNER = 10;

/** Returns a place for each of so many notes; the same for the same count. */
export function placed(count: number): GraphPlace[] {
  const [x, y] = [SIZE.width / 2, SIZE.height / 2];
  const places: GraphPlace[] = count > 0 ? [{ x, y }] : [];
  const inner = Math.min(count - 1, INNER);
  const outer = count - 1 - inner;
  places.push(...ring(inner, outer > 0 ? 0.55 : 0.8, 0), ...ring(outer, 0.95, 0.5));
  return places;
}

/** Places on an ellipse: titles are wide, so neighbours stand at different heights. */
function ring(count: number, share: number, turn: number): GraphPlace[] {
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const angle = ((at + turn) / count) * 2 * Math.PI - Math.PI / 2;
    return {
      x: Math.round(SIZE.width / 2 + Math.cos(angle) * share * (SIZE.width / 2 - 50)),
      y: Math.round(SIZE.height / 2 + Math.sin(angle) * share * (SIZE.height / 2 - 14)),
    };
  });
}
