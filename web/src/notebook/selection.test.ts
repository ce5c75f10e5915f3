import { describe, expect, it } from 'vitest';
import { all, extendedTo, moved, only, selectedIn, without } from './selection';

const ORDER = ['a', 'b', 'c', 'd', 'e'];

describe('the selection', () => {
  it('moves, extends in both directions and stops at the ends', () => {
    const down = moved(moved(only('b'), ORDER, 1, true), ORDER, 1, true);
    expect(selectedIn(down, ORDER)).toEqual(['b', 'c', 'd']);
    const up = moved(only('b'), ORDER, -1, true);
    expect(selectedIn(moved(up, ORDER, -1, true), ORDER)).toEqual(['a', 'b']);
    expect(moved(down, ORDER, 1, false)).toEqual(only('e'));
    expect(selectedIn(extendedTo(only('d'), 'b'), ORDER)).toEqual(['b', 'c', 'd']);
    expect(selectedIn(all(ORDER), ORDER)).toEqual(ORDER);
  });

  it('passes over what is hidden, but holds it', () => {
    const next = moved(only('a'), ['a', 'd', 'e'], 1, true);
    expect(next.active).toBe('d');
    expect(selectedIn(next, ORDER)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('goes to what comes after cells that are gone, else before', () => {
    expect(without(only('b'), ORDER, new Set(['b', 'c']))).toEqual(only('d'));
    expect(without(only('e'), ORDER, new Set(['d', 'e']))).toEqual(only('c'));
    expect(without(only('a'), ['a'], new Set(['a'])).active).toBeNull();
    expect(without(only('a'), ORDER, new Set(['c']))).toEqual(only('a'));
  });
});
