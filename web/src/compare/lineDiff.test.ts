import type { Change } from '@codemirror/merge';
import { describe, expect, it } from 'vitest';
import { changedLines, lineDiff } from './lineDiff';

/** The second text, from the first one and the changes. */
function applied(a: string, b: string, changes: readonly Change[]): string {
  let [text, at, other] = ['', 0, 0];
  for (const { fromA, toA, fromB, toB } of changes) {
    expect(fromA).toBeGreaterThanOrEqual(at);
    expect(fromA - at, 'equal text is as long on both sides').toBe(fromB - other);
    text += a.slice(at, fromA) + b.slice(fromB, toB);
    [at, other] = [toA, toB];
  }
  return text + a.slice(at);
}

/** The same numbers each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

describe('a comparison of lines', () => {
  it('names the lines that differ', () => {
    const parts = changedLines(['a', 'b', 'c', 'd', 'e'], ['a', 'B', 'c', 'e', 'f']);
    expect(parts).toEqual([
      { fromA: 1, toA: 2, fromB: 1, toB: 2 },
      { fromA: 3, toA: 4, fromB: 3, toB: 3 },
      { fromA: 5, toA: 5, fromB: 4, toB: 5 },
    ]);
  });

  it('finds an insertion among equal lines', () => {
    expect(changedLines(['x', '', 'x', ''], ['x', '', 'x', '', 'x', ''])).toHaveLength(1);
    expect(changedLines(['}', '}', 'a', '}'], ['}', 'b', '}', 'a', '}'])).toEqual([
      { fromA: 1, toA: 1, fromB: 1, toB: 2 },
    ]);
  });

  it('leads from one text to the other', () => {
    const roll = dice(7);
    for (let round = 0; round < 300; round++) {
      const text = () => Array.from({ length: roll(12) }, () => ['', 'a', 'b', 'if x:', 'y = 1'][roll(5)]).join('\n');
      const [a, b] = [text(), text()];
      expect(applied(a, b, lineDiff(a, b)), JSON.stringify([a, b])).toBe(b);
    }
  });

  it('finds each of thousands of changes', () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `value_${at} = compute(${at})`);
    const changed = lines.map((line, at) => (at % 20 === 3 ? line.replace('compute', 'measure') : line));
    const parts = changedLines(lines, changed);
    expect(parts).toHaveLength(5000);
    expect(parts[1]).toEqual({ fromA: 23, toA: 24, fromB: 23, toB: 24 });
  });

  it('texts without a common line are one change', () => {
    const [a, b] = ['a', 'b'].map((word) => Array.from({ length: 20_000 }, (_, at) => `${word} ${at % 50}`));
    expect(changedLines(a ?? [], b ?? [])).toEqual([{ fromA: 0, toA: 20_000, fromB: 0, toB: 20_000 }]);
  });
});
