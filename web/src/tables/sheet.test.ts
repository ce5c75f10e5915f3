import { describe, expect, it } from 'vitest';
import { filtered, Sheet, sorted, summarised } from './sheet';
import { filterOf, kindOf, numberIn } from './values';

function sheetOf(text: string, path = 'a.csv'): Sheet {
  const sheet = new Sheet(new TextEncoder().encode(text), path);
  for (const _ of sheet.scanned());
  return sheet;
}

/** Runs a generator to its end. */
function ended<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const { value, done } = work.next();
    if (done) return value as T;
  }
}

const TIDES = 'place,height,note\nCuxhaven,3.1,high\nHamburg,NA,\nBremen,10,"low, very"\nkiel,-2,high\n';

describe('columns', () => {
  it('have names, kinds and widths', () => {
    const sheet = sheetOf(TIDES);
    expect(sheet.guessHeader()).toBe(true);
    expect(sheet.columns(true)).toEqual([
      { name: 'place', kind: 'text', width: 8 },
      { name: 'height', kind: 'number', width: 9 },
      { name: 'note', kind: 'text', width: 9 },
    ]);
  });

  it('are numbered without a header', () => {
    const sheet = sheetOf('1,2\n3,4\n');
    expect(sheet.guessHeader()).toBe(false);
    expect(sheet.columns(false).map(({ name }) => name)).toEqual(['Column 1', 'Column 2']);
  });

  it('of a million are cut', () => {
    const sheet = sheetOf(`${','.repeat(1_000_000)}\n`);
    expect(sheet.columns(false)).toHaveLength(2000);
  });
});

describe('values', () => {
  it('are numbers in either writing', () => {
    expect(['1', '-2.5', '1,234.5', '1e3', '.5'].map((text) => numberIn(text, false))).toEqual([
      1, -2.5, 1234.5, 1000, 0.5,
    ]);
    expect(['1,5', '1.234,5'].map((text) => numberIn(text, true))).toEqual([1.5, 1234.5]);
    for (const text of ['', 'x', '1-2', '2026-11-28', '-', '.', 'e5', '1,2'])
      expect(numberIn(text, false), text).toBeNull();
    expect(kindOf(['1', '2', 'NA', ''], false)).toBe('number');
    expect(kindOf(['1', 'b', 'c'], false)).toBe('text');
  });

  it('pass filters', () => {
    const passed = (filter: string, texts: string[]) => texts.filter(filterOf(filter, false) ?? (() => true));
    const texts = ['apple', 'Pineapple', '', '5', '12'];
    expect(passed('  ', texts)).toEqual(texts);
    expect(passed('APPLE', texts)).toEqual(['apple', 'Pineapple']);
    expect(passed('=apple', texts)).toEqual(['apple']);
    expect(passed('!apple', texts)).toEqual(['', '5', '12']);
    expect(passed('>5', texts)).toEqual(['12']);
    expect(passed('<= 12', texts)).toEqual(['5', '12']);
    expect(passed('=', texts)).toEqual(['']);
    expect(passed('>2026-01', ['2025-12-01', '2026-02-01'])).toEqual(['2026-02-01']);
  });
});

describe('rows', () => {
  const sheet = sheetOf(TIDES);
  const all = ended(filtered(sheet, 1, null, []));

  it('are filtered', () => {
    expect([...all]).toEqual([1, 2, 3, 4]);
    const tests = [{ column: 1, test: filterOf('>0', false) ?? (() => true) }];
    expect([...ended(filtered(sheet, 1, null, tests))]).toEqual([1, 3]);
    expect([...ended(filtered(sheet, 1, filterOf('low, v', false), []))]).toEqual([3]);
  });

  it('are sorted with nothing last', () => {
    const by = (column: number, descending: boolean, kind: 'number' | 'text') => [
      ...ended(sorted(sheet, all, { column, descending }, kind)),
    ];
    expect(by(1, false, 'number')).toEqual([4, 1, 3, 2]);
    expect(by(1, true, 'number')).toEqual([3, 1, 4, 2]);
    expect(by(0, false, 'text')).toEqual([3, 1, 2, 4]);
    expect(by(2, true, 'text')).toEqual([3, 1, 4, 2]);
  });

  it('are sorted in runs', () => {
    const values = Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 20_011);
    const many = sheetOf(values.join('\n'));
    const rows = ended(filtered(many, 0, null, []));
    const order = [...ended(sorted(many, rows, { column: 0, descending: false }, 'number'))];
    expect(order.map((row) => values[row])).toEqual(values.toSorted((one, two) => one - two));
  });

  it('are summarised', () => {
    const numbers = ended(summarised(sheet, all, 1, 'number'));
    expect(numbers).toMatchObject({ count: 4, empty: 1, distinct: 3, numbers: { min: -2, max: 10 } });
    expect(numbers.numbers?.mean).toBeCloseTo(3.7);
    expect(numbers.numbers?.bins.reduce((sum, bin) => sum + bin, 0)).toBe(3);
    expect(ended(summarised(sheet, all, 2, 'text')).top[0]).toEqual(['high', 2]);
  });
});
