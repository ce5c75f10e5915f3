import { expect, it } from 'vitest';
import * as Y from 'yjs';
import { emptyCell, insertCell, kindOf, metadataOf } from './cells';
import { isHiddenFromAi, seesWholeNotebook, setHiddenFromAi, setSeesWholeNotebook } from './shownToAi';

const cell = (metadata: Record<string, string>, kind = 'code') => {
  const doc = new Y.Doc();
  return { doc, key: insertCell(doc, { ...emptyCell(kind), metadata }, null) };
};

it('keeps a cell from models and shows it to them again, and leaves what else the metadata says', () => {
  const { doc, key } = cell({}, 'sql');
  expect(isHiddenFromAi(doc, key)).toBe(false);
  setHiddenFromAi(doc, key, true);
  expect([isHiddenFromAi(doc, key), kindOf(doc, key)]).toEqual([true, 'sql']);
  setHiddenFromAi(doc, key, false);
  expect([isHiddenFromAi(doc, key), metadataOf(doc, key, 'aside')]).toEqual([false, '{"cell":"sql"}']);
});

it('leaves nothing behind in a cell that said nothing before', () => {
  const { doc, key } = cell({});
  setHiddenFromAi(doc, key, true);
  setHiddenFromAi(doc, key, false);
  expect(metadataOf(doc, key, 'aside')).toBeNull();
});

it('honours what other notebooks with AI cells say', () => {
  const { doc, key } = cell({ aiContextVisible: 'false' });
  expect(isHiddenFromAi(doc, key)).toBe(true);
  setHiddenFromAi(doc, key, false);
  expect(isHiddenFromAi(doc, key)).toBe(false);
});

it('a cell’s choice wins over its notebook’s', () => {
  const { doc, key } = cell({}, 'ai');
  expect(seesWholeNotebook(doc, key)).toBe(false);
  doc.getMap('metadata').set('aside', '{"ai_context":"notebook"}');
  expect(seesWholeNotebook(doc, key)).toBe(true);
  setSeesWholeNotebook(doc, key, false);
  expect([seesWholeNotebook(doc, key), kindOf(doc, key)]).toEqual([false, 'ai']);
  setSeesWholeNotebook(doc, key, true);
  expect(seesWholeNotebook(doc, key)).toBe(true);
});
