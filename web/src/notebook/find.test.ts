import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { emptyCell, insertCell, sourceText } from './cells';
import { expressionOf, findAll, firstFrom, replace } from './find';

function notebook(): Y.Doc {
  const doc = new Y.Doc();
  insertCell(doc, emptyCell('code', 'x = 1\nX = x + 1'), null, 'a');
  insertCell(doc, emptyCell('markdown', 'about x (x)'), 'a', 'b');
  return doc;
}
const plain = { text: 'x', matchCase: false, wholeWord: false, regexp: false };

describe('find and replace', () => {
  it('finds in all cells, by letters or by an expression', () => {
    const doc = notebook();
    expect(findAll(doc, ['a', 'b'], plain)).toHaveLength(5);
    expect(findAll(doc, ['a', 'b'], { ...plain, matchCase: true })).toHaveLength(4);
    expect(findAll(doc, ['b'], { ...plain, text: '(x)' })).toEqual([{ key: 'b', from: 8, to: 11 }]);
    expect(findAll(doc, ['a'], { ...plain, text: '^x', regexp: true })).toHaveLength(2);
    expect(findAll(doc, ['a'], { ...plain, text: 'y*', regexp: true })).toEqual([]);
    expect(expressionOf({ ...plain, text: '(', regexp: true })).toBeNull();
    expect(findAll(doc, ['b'], { ...plain, text: 'out', wholeWord: true })).toEqual([]);
    expect(findAll(doc, ['b'], { ...plain, text: 'about', wholeWord: true })).toHaveLength(1);
  });

  it('takes a backslash literally outside of expressions', () => {
    const doc = new Y.Doc();
    insertCell(doc, emptyCell('markdown', '$\\left( \\right)$'), null, 'a');
    const put = (text: string, by: string, regexp: boolean) => {
      const query = { ...plain, text, regexp };
      replace(doc, findAll(doc, ['a'], query), query, by);
      return sourceText(doc, 'a');
    };
    expect(put('\\right', '\\nabla', false)).toBe('$\\left( \\nabla)$');
    expect(put(' ', '\\n', true)).toBe('$\\left(\n\\nabla)$');
  });

  it('goes on from a place, and from the first again', () => {
    const keys = ['a', 'b'];
    const found = findAll(notebook(), keys, plain);
    expect(firstFrom(found, keys, { key: 'a', from: 0 })).toBe(0);
    expect(firstFrom(found, keys, { key: 'a', from: 1 })).toBe(1);
    expect(firstFrom(found, keys, { key: 'a', from: 99 })).toBe(3);
    expect(firstFrom(found, keys, { key: 'b', from: 99 })).toBe(0);
    expect(firstFrom(found, keys, { key: '', from: 0 })).toBe(0);
  });

  it('replaces all as one change, groups too', () => {
    const doc = notebook();
    const undo = new Y.UndoManager(doc.getMap('cells'));
    const query = { text: '(\\w) = ', matchCase: false, wholeWord: false, regexp: true };
    replace(doc, findAll(doc, ['a', 'b'], query), query, '$1_new = ');
    expect(sourceText(doc, 'a')).toBe('x_new = 1\nX_new = x + 1');
    replace(doc, findAll(doc, ['b'], plain), plain, '$1');
    expect(sourceText(doc, 'b')).toBe('about $1 ($1)');
    undo.undo();
    expect(sourceText(doc, 'a')).toBe('x = 1\nX = x + 1');
  });

  it('replaces what an expression finds by what stands around it', () => {
    const doc = new Y.Doc();
    insertCell(doc, emptyCell('code', 'aaa b\nfoo(foo)'), null, 'a');
    const put = (text: string, by: string) => {
      const query = { ...plain, text, matchCase: true, regexp: true };
      replace(doc, findAll(doc, ['a'], query), query, by);
      return sourceText(doc, 'a');
    };
    expect(put('a(?=a)', 'x')).toBe('xxa b\nfoo(foo)');
    expect(put('(?<=\\()f(o)', '$1$$$&')).toBe('xxa b\nfoo(o$foo)');
    expect(put('\\bb$', 'end')).toBe('xxa end\nfoo(o$foo)');
  });
});
