import { expect, it } from 'vitest';
import { placed, SIZE } from './graphPlaces';

it('notes stand inside the drawing, none over another', () => {
  for (const count of [0, 1, 2, 7, 24]) {
    const places = placed(count);
    expect(places).toHaveLength(count);
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
    for (const { x, y } of places) expect(x > 0 && y > 0 && x < SIZE.width && y < SIZE.height).toBe(true);
  }
  expect(placed(5)[0]).toEqual({ x: SIZE.width / 2, y: SIZE.height / 2 });
});
