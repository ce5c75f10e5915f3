import { expect, it } from 'vitest';
import type { WidgetModel } from '../../wire/gen/types';
import { followersOf } from './links';

const link = (id: string, kind: string, source: string, target: string): [string, WidgetModel] => [
  id,
  {
    id,
    state: { _model_name: kind, source: [`IPY_MODEL_${source}`, 'value'], target: [`IPY_MODEL_${target}`, 'value'] },
    buffers: [],
    outputs: [],
  },
];

it('finds what follows a control, one after the other, and ends where they go round', () => {
  const models = new Map([
    link('1', 'LinkModel', 'play', 'slider'),
    link('2', 'DirectionalLinkModel', 'slider', 'field'),
    link('3', 'DirectionalLinkModel', 'field', 'play'),
  ]);
  const names = (widget: string) => followersOf(models, { widget, name: 'value' }).map((end) => end.widget);
  expect(names('play')).toEqual(['slider', 'field']);
  expect(names('slider')).toEqual(['play', 'field']);
  expect(followersOf(models, { widget: 'play', name: 'max' })).toEqual([]);
});

it('takes no notice of a link that is none', () => {
  const odd = { id: 'x', state: { _model_name: 'LinkModel', source: 'play', target: [7] }, buffers: [], outputs: [] };
  expect(followersOf(new Map([['x', odd as WidgetModel]]), { widget: 'play', name: 'value' })).toEqual([]);
});
