import { expect, it } from 'vitest';
import { queryBefore } from './query';

it.each([
  ['see [[Pl', { kind: 'note', text: 'Pl', end: ']]' }],
  ['![[', { kind: 'note', text: '', end: ']]' }],
  ['[[Plan#Ne', { kind: 'heading', text: 'Ne', target: 'Plan', end: ']]' }],
  ['[[#Ne', { kind: 'heading', text: 'Ne', target: '', end: ']]' }],
  ['[words](gui', { kind: 'file', text: 'gui', end: ')' }],
  ['see #sea/ti', { kind: 'tag', text: 'sea/ti', end: '' }],
  ['#日', { kind: 'tag', text: '日', end: '' }],
  ['a (#', { kind: 'tag', text: '', end: '' }],
])('%s asks for a completion', (before, query) => {
  expect(queryBefore(before)).toEqual(query);
});

it.each(['# ', '#', 'a#b', '[[done]] ', '[[a|wo', '[x](https://a.b', '[x](a.md) '])('%s asks for none', (before) => {
  expect(queryBefore(before)).toBeNull();
});
