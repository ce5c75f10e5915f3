// @vitest-environment happy-dom
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Icon } from '../../ui/Icon';
import { MARKS, markOf } from './marks';

it('finds the shape or the character for a name of Font Awesome', () => {
  expect(['play', 'fa-play', 'spinner fa-spin', 'home', 'rocket', ''].map(markOf)).toEqual([
    { shape: 'play' },
    { shape: 'play' },
    { shape: 'spinner' },
    { letter: '⌂' },
    null,
    null,
  ]);
});

it('has no shape that is not there', () => {
  for (const name of MARKS.keys()) {
    const mark = markOf(name);
    if (mark && 'shape' in mark)
      expect(renderToStaticMarkup(createElement(Icon, { name: mark.shape }))).toContain('d=');
  }
});
