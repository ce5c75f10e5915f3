import { describe, expect, it } from 'vitest';
import { heldIn, MOST, refused } from './files';

describe('files for a control', () => {
  it('are refused above the size of one message', () => {
    expect(refused([{ name: 'a.csv', size: MOST }])).toBeNull();
    expect(refused([{ name: 'a.csv', size: MOST + 1_000_000 }])).toBe(
      '“a.csv” has 33.0 MB; the limit is 32.0 MB. Copy the data into the folder and open it from code.',
    );
    const two = [
      { name: 'a.csv', size: MOST },
      { name: 'b.csv', size: MOST },
    ];
    expect(refused(two)).toMatch(/^These files have 64.0 MB/);
  });

  it('are read from both library versions', () => {
    expect(heldIn({ value: [{ name: 'a.csv', size: 3 }, 'x', null, { size: 2 }] })).toEqual([
      { name: 'a.csv', size: 3 },
    ]);
    expect(heldIn({ _counter: 1, metadata: [{ name: 'b.csv' }], value: {} })).toEqual([{ name: 'b.csv', size: 0 }]);
    expect(heldIn({ value: 'x' })).toEqual([]);
  });
});
