import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { emptyCell, insertCell, metadataOf } from './cells';
import { isFolded, isHidden, setFolded, setHidden } from './collapsed';

describe('collapsing', () => {
  it('is kept as Jupyter keeps it, and leaves other metadata alone', () => {
    const doc = new Y.Doc();
    const cell = { ...emptyCell('code'), metadata: { jupyter: '{"x":1}', collapsed: 'true' } };
    insertCell(doc, cell, null, 'a');
    expect(isHidden(doc, 'a', 'outputs')).toBe(true);
    setHidden(doc, 'a', 'source', true);
    expect(metadataOf(doc, 'a', 'jupyter')).toBe('{"x":1,"source_hidden":true}');
    setHidden(doc, 'a', 'outputs', false);
    setHidden(doc, 'a', 'source', false);
    expect([metadataOf(doc, 'a', 'jupyter'), metadataOf(doc, 'a', 'collapsed')]).toEqual(['{"x":1}', null]);
    setFolded(doc, 'a', true);
    expect([isFolded(doc, 'a'), metadataOf(doc, 'a', 'jp-MarkdownHeadingCollapsed')]).toEqual([true, 'true']);
  });
});
