import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { forSeeds } from '../testing/random';
import { partsOf } from './parts';
import { rebase } from './rebase';
import { mergeParts, mergeText, splicesBetween } from './threeWay';

describe('mergeText', () => {
  it.each([
    ['one\ntwo\n', 'one\ntwo typed', 'one\ntwo\n', 'one\ntwo typed'],
    ['one\ntwo\nthree\n', 'ONE\ntwo\nthree\n', 'one\ntwo\nTHREE\n', 'ONE\ntwo\nTHREE\n'],
    ['one\n', 'one\nmine\n', 'one\nmine\n', 'one\nmine\n'],
    ['one\n', 'one\nmine\n', 'one\nyours\n', null],
    ['', 'all new', '', 'all new'],
  ])('of %j with %j and %j is %j', (base, ours, theirs, merged) => {
    expect(mergeText(base, ours, theirs)).toBe(merged);
  });
});

describe('mergeParts', () => {
  it('merges cells by their keys', () => {
    const base = { a: 'x', b: 'y' };
    expect(mergeParts(base, { a: 'x1', b: 'y' }, { a: 'x', b: 'y2' })).toEqual({ a: 'x1' });
  });

  it('refuses cells without a counterpart', () => {
    expect(mergeParts({ a: 'x' }, { a: 'x1' }, { b: 'z' })).toBeNull();
    expect(mergeParts({ a: 'x' }, { a: 'x', c: 'new' }, { a: 'x' })).toBeNull();
  });
});

it('splices turn any text into any other', () => {
  forSeeds(200, (random) => {
    const text = () => Array.from({ length: 12 }, () => random.pick(['a', 'b\n', '\n', 'c\r\n'])).join('');
    const [before, after] = [text(), text()];
    const spliced = splicesBetween(before, after).reduce(
      (now, { at, remove, insert }) => now.slice(0, at) + insert + now.slice(at + remove),
      before,
    );
    expect(spliced).toBe(after);
  });
});

it('a rebuilt document takes unsynced text once', () => {
  const rebuilt = new Y.Doc();
  rebuilt.getText('text').insert(0, 'one\ntwo\n');
  const ours = { '': 'one\ntwo\ntyped\n' };
  for (let time = 0; time < 2; time++) expect(rebase(rebuilt, { '': 'one\ntwo\n' }, ours)).toBe(true);
  expect(partsOf(rebuilt)).toEqual(ours);
  expect(rebase(rebuilt, null, ours)).toBe(false);
});
