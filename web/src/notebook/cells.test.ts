import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { forSeeds } from '../testing/random';
import {
  cellsOf,
  copyOf,
  emptyCell,
  insertCell,
  kindOf,
  mergeCells,
  metadataOf,
  moveCells,
  orderOf,
  otherOf,
  removeCells,
  setKind,
  setMetadata,
  sourceOf,
  sourceText,
  splitCell,
} from './cells';

/** A notebook with a code cell for each text, called `a`, `b`, … */
function notebook(...texts: string[]): Y.Doc {
  const doc = new Y.Doc();
  let after: string | null = null;
  for (const [at, text] of texts.entries()) {
    after = insertCell(doc, emptyCell('code', text), after, String.fromCharCode(97 + at));
  }
  return doc;
}

const texts = (doc: Y.Doc) => orderOf(doc).map((key) => sourceText(doc, key));

describe('cells', () => {
  it('are put in, moved and taken away', () => {
    const doc = notebook('1', '2', '3', '4');
    insertCell(doc, emptyCell('markdown', '0'), null, 'first');
    moveCells(doc, ['a', 'b'], 'd');
    expect(orderOf(doc)).toEqual(['first', 'c', 'd', 'a', 'b']);
    moveCells(doc, ['d'], null);
    removeCells(doc, ['c', 'b', 'gone']);
    expect(orderOf(doc)).toEqual(['d', 'first', 'a']);
    expect(kindOf(doc, 'first')).toBe('markdown');
  });

  it('of a kind that the file has no word for are code that says so', () => {
    const doc = notebook('1', '2');
    setMetadata(doc, 'a', 'aside', '{"x":1}');
    setKind(doc, ['a'], 'ai');
    insertCell(doc, { ...emptyCell('sql', 'select 1'), metadata: { tags: '[]' } }, 'b', 'c');
    expect(['a', 'b', 'c'].map((key) => kindOf(doc, key))).toEqual(['ai', 'code', 'sql']);
    expect(
      ['a', 'b', 'c'].map((key) => cellsOf(doc).get(key)).map((cell) => (cell as Y.Map<unknown>).get('kind')),
    ).toEqual(['code', 'code', 'code']);
    expect(metadataOf(doc, 'a', 'aside')).toBe('{"x":1,"cell":"ai"}');
    expect(metadataOf(doc, 'c', 'aside')).toBe('{"cell":"sql"}');
    insertCell(doc, copyOf(doc, 'a'), null, 'copy');
    expect(kindOf(doc, 'copy')).toBe('ai');
    setKind(doc, ['a', 'c'], 'markdown');
    expect([kindOf(doc, 'a'), metadataOf(doc, 'a', 'aside')]).toEqual(['markdown', '{"x":1}']);
    expect(metadataOf(doc, 'c', 'aside')).toBeNull();
  });

  it('are split at a place, without the line end there', () => {
    const doc = notebook('one\ntwo\nthree', 'last');
    expect(splitCell(doc, 'a', 4)).toBe(orderOf(doc)[0]);
    expect(texts(doc)).toEqual(['one', 'two\nthree', 'last']);
    splitCell(doc, 'a', 3);
    splitCell(doc, 'b', 2);
    expect(texts(doc)).toEqual(['one', 'two', 'three', 'la', 'st']);
    expect([orderOf(doc)[2], orderOf(doc)[4]]).toEqual(['a', 'b']);
  });

  it('are split into parts that both are what the cell was', () => {
    const doc = notebook('one\ntwo');
    setKind(doc, ['a'], 'sql');
    setMetadata(doc, 'a', 'tags', '["kept"]');
    const first = splitCell(doc, 'a', 3) ?? '';
    expect([kindOf(doc, first), metadataOf(doc, first, 'tags'), texts(doc)]).toEqual([
      'sql',
      '["kept"]',
      ['one', 'two'],
    ]);
  });

  it('are merged into the first, attachments too', () => {
    const doc = notebook('one', 'two', 'three', 'four');
    setKind(doc, ['a'], 'markdown');
    const others = cellsOf(doc).get('b') as Y.Map<unknown>;
    (others.get('others') as Y.Map<unknown>).set('attachments', '{"p.png":{}}');
    mergeCells(doc, ['a', 'b', 'c']);
    expect(texts(doc)).toEqual(['one\n\ntwo\n\nthree', 'four']);
    expect(otherOf(doc, 'a', 'attachments')).toBe('{"p.png":{}}');
  });

  it('keep their metadata as JSON texts', () => {
    const doc = notebook('1');
    setMetadata(doc, 'a', 'jupyter', '{"outputs_hidden":true}');
    expect(metadataOf(doc, 'a', 'jupyter')).toBe('{"outputs_hidden":true}');
    setMetadata(doc, 'a', 'jupyter', null);
    expect(metadataOf(doc, 'a', 'jupyter')).toBeNull();
  });

  it('are read with care: what is no cell is not there', () => {
    const doc = notebook('1');
    cellsOf(doc).set('odd', 'a text');
    cellsOf(doc).set('empty', new Y.Map());
    expect(orderOf(doc)).toEqual(['empty', 'a']);
    expect([kindOf(doc, 'empty'), sourceText(doc, 'empty'), sourceOf(doc, 'odd')]).toEqual(['', '', null]);
  });

  it('come to the same in two windows, whatever both do', () => {
    forSeeds(30, (random) => {
      const one = notebook('1', '2', '3', '4', '5');
      const two = new Y.Doc();
      Y.applyUpdate(two, Y.encodeStateAsUpdate(one));
      for (let step = 0; step < 40; step++) change(random.pick([one, two]), random);
      Y.applyUpdate(two, Y.encodeStateAsUpdate(one));
      Y.applyUpdate(one, Y.encodeStateAsUpdate(two));
      expect(texts(one)).toEqual(texts(two));
    });
  });

  function change(doc: Y.Doc, random: { below(limit: number): number; pick<T>(items: readonly T[]): T }): void {
    const order = orderOf(doc);
    if (order.length < 2) return void insertCell(doc, emptyCell('code', 'new'), null);
    const [key, other] = [random.pick(order), random.pick(order)];
    switch (random.below(5)) {
      case 0:
        return void insertCell(doc, emptyCell('code', String(random.below(100))), key);
      case 1:
        return removeCells(doc, [key]);
      case 2:
        return key === other ? undefined : moveCells(doc, [key], other);
      case 3:
        return void splitCell(doc, key, random.below(3));
      default:
        return mergeCells(doc, order.slice(0, 2));
    }
  }
});

describe('undo over the whole notebook', () => {
  it('takes back what was done to its cells, text and all', () => {
    const doc = notebook('one', 'two', 'three');
    const undo = new Y.UndoManager(cellsOf(doc), { captureTimeout: 0 });
    removeCells(doc, ['b']);
    moveCells(doc, ['c'], null);
    sourceOf(doc, 'a')?.insert(3, '!');
    mergeCells(doc, ['c', 'a']);
    expect(texts(doc)).toEqual(['three\none!']);
    for (let step = 0; step < 4; step++) undo.undo();
    expect(texts(doc)).toEqual(['one', 'two', 'three']);
    for (let step = 0; step < 4; step++) undo.redo();
    expect(texts(doc)).toEqual(['three\none!']);
  });
});
