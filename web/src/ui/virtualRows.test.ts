import { describe, expect, it } from 'vitest';
import { type Extent, HIGHEST, heightOf, placeAt, placeOf, type RowPlace } from './virtualRows';

const START: RowPlace = { scrollTop: 0, top: 0 };

describe('few rows', () => {
  const extent: Extent = { count: 1000, row: 20, seen: 400 };

  it('scroll pixel by pixel', () => {
    expect(heightOf(extent)).toBe(20_000);
    expect(placeAt(130, START, extent)).toEqual({ scrollTop: 130, top: 6.5 });
    expect(placeOf(500, START, extent)).toEqual({ scrollTop: 481 * 20, top: 481 });
    expect(placeOf(3, placeOf(500, START, extent), extent)).toEqual({ scrollTop: 60, top: 3 });
  });
});

describe('more rows than fit', () => {
  const extent: Extent = { count: 50_000_000, row: 20, seen: 400 };

  it('move row by row with a wheel', () => {
    expect(heightOf(extent)).toBe(HIGHEST);
    const place = placeAt(100, START, extent);
    expect(place.top).toBe(5);
    expect(placeAt(160, place, extent).top).toBe(8);
  });

  it('are reached by the bar to the last', () => {
    expect(placeAt(HIGHEST - 400, START, extent).top).toBe(50_000_000 - 20);
    expect(placeAt((HIGHEST - 400) / 2, START, extent).top).toBeCloseTo(25_000_000 - 10, 0);
    expect(placeAt(0, { scrollTop: 9, top: 40 }, extent).top).toBe(0);
  });

  it('are shown by their number', () => {
    const place = placeOf(49_999_999, START, extent);
    expect(place.top).toBe(50_000_000 - 20);
    expect(place.scrollTop).toBeCloseTo(HIGHEST - 400, 5);
    expect(placeOf(49_999_990, place, extent)).toEqual(place);
  });
});
