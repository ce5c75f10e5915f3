import { expect, it } from 'vitest';
import { bytes, children, inFile, kindOf, number, shownNumber, texts } from './model';

it('reads what is there, and nothing else', () => {
  const state = { children: ['IPY_MODEL_a', 'b', 7], max: Number.NaN, options: ['x', 2] };
  expect([children(state), number(state, 'max', 100), texts(state, 'options'), texts(state, 'none')]).toEqual([
    ['a'],
    100,
    ['x', '2'],
    [],
  ]);
  expect(shownNumber(0.1 + 0.2)).toBe('0.3');
});

it('finds a widget that the file keeps', () => {
  const one = {
    model_name: 'ImageModel',
    state: { format: 'png' },
    buffers: [{ path: ['value'], data: 'YQ==', encoding: 'base64' }, { path: 'x' }],
  };
  const metadata = { 'application/vnd.jupyter.widget-state+json': { state: { a: one, b: 3 } } };
  const found = inFile(metadata, 'a');
  expect(found && [kindOf(found), bytes(found, 'value'), found.live]).toEqual(['ImageModel', 'YQ==', false]);
  expect([inFile(metadata, 'b'), inFile(metadata, 'c'), inFile(null, 'a')]).toEqual([null, null, null]);
});
