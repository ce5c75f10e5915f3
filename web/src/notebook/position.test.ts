import { describe, expect, it } from 'vitest';
import { forSeeds } from '../testing/random';
import { between, compareTexts } from './position';

describe('a position', () => {
  it('is what the server gives', () => {
    // From `position::between` of aside-doc.
    expect(SERVER.map(([low, high, key]) => between(low, high, key))).toEqual(SERVER.map(([, , , given]) => given));
  });

  it('is between its neighbours, wherever cells are put', () => {
    forSeeds(40, (random) => {
      const all: string[] = [];
      for (let key = 0; key < 120; key++) {
        const at = random.below(all.length + 1);
        all.splice(at, 0, between(all[at - 1] ?? '', all[at] ?? null, String(key)));
        expect(all).toEqual([...new Set(all)].sort(compareTexts));
      }
    });
  });

  it('stays short for a thousand cells at the end', () => {
    let last = '';
    for (let key = 0; key < 1000; key++) last = between(last, null, String(key));
    expect(last.length).toBeLessThanOrEqual(6);
  });

  it('takes anything for one', () => {
    for (const odd of ['', 'é', '😀~', '\u0000', '!', '0000']) expect(between(odd, odd, 'k')).not.toBe('');
  });
});

describe('texts', () => {
  it('sort by their bytes, which UTF-16 does not', () => {
    expect(['\u{1f600}', '\uffff', 'a', 'ab', ''].sort(compareTexts)).toEqual(['', 'a', 'ab', '\uffff', '\u{1f600}']);
  });
});

type Given = [low: string, high: string | null, key: string, given: string];
const SERVER: Given[] = [
  ['', null, 'a', '0010Ee'],
  ['0000', '0001', 'cell-1', '0000VJs'],
  ['zzzz', null, 'k', 'zzzzVoP'],
  ['00zzAB', null, 'x', '0100B4'],
  ['1', '2', 'b', '1VVB'],
  ['', '0001', 'ü', '0000V08'],
  ['é', 'ö', 'k', 'zzVoP'],
  ['001zzz', '0020', 'abcdef12', '001zzzVPT'],
];
