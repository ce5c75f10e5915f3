import { describe, expect, it } from 'vitest';
import { type Display, heldBack, shownOf, textOf, unknownForms } from './mime';

const display = (data: Record<string, unknown>, omitted: Record<string, number> = {}): Display => ({
  type: 'display',
  data,
  metadata: {},
  is_result: false,
  omitted,
});
const looks = (data: Record<string, unknown>) => [false, true].map((trusted) => shownOf(display(data), trusted)?.look);

describe('the form that is shown', () => {
  it('is the richest one that can be shown', () => {
    expect(looks({ 'text/plain': 'x', 'text/html': '<b>x</b>' })).toEqual(['html', 'html']);
    expect(looks({ 'text/plain': 'x', 'image/png': 'aaaa' })).toEqual(['image', 'image']);
    expect(looks({ 'text/plain': 'x', 'text/latex': '$x$' })).toEqual(['latex', 'latex']);
    expect(looks({ 'application/vnd.x+json': {}, 'text/plain': 'x' })).toEqual(['text', 'text']);
    expect(shownOf(display({ 'application/vnd.x+json': {} }), true)).toBeNull();
    expect(unknownForms(display({ 'application/vnd.x+json': {}, 'text/plain': 'x' }))).toEqual([
      'application/vnd.x+json',
    ]);
  });

  it('runs scripts only of a notebook that is trusted, and prefers a picture until then', () => {
    for (const html of [
      '<script>x()</script>',
      '<p onclick="x()">',
      '<a href="javascript:x()">',
      '<IFRAME srcdoc="x">',
      '<audio controls>',
    ]) {
      expect(looks({ 'text/html': html })).toEqual(['html', 'active']);
      expect(heldBack(display({ 'text/html': html }))).toBe(true);
    }
    expect(looks({ 'text/html': ['<script', '>'], 'image/png': 'a' })).toEqual(['image', 'active']);
    for (const html of ['<table><td>one = 1</td></table>', '<iframe src="https://here.org"></iframe>']) {
      expect(heldBack(display({ 'text/html': html }))).toBe(false);
    }
  });

  it('draws charts of a notebook that is trusted, and shows what else there is until then', () => {
    const chart = 'application/vnd.vegalite.v5+json';
    expect(looks({ [chart]: {}, 'text/plain': 'x' })).toEqual(['text', 'chart']);
    expect(looks({ [chart]: {}, 'image/png': 'x', 'text/html': '<script>' })).toEqual(['image', 'chart']);
    const altair = '<script>vegaEmbed(})({"mark": "bar"}, {"mode": "vega-lite"});</script>';
    expect(looks({ 'text/html': altair, 'text/plain': 'x' })).toEqual(['html', 'chart']);
    expect(heldBack(display({ [chart]: {} }))).toBe(true);
    expect(heldBack(display({}, { [chart]: 9_000_000 }))).toBe(true);
    const plot = { 'application/vnd.plotly.v1+json': { data: [{ type: 'mesh3d' }] }, 'text/html': '<script>' };
    expect(looks(plot)).toEqual(['html', 'active']);
  });

  it('says what was too large to be sent', () => {
    expect(shownOf(display({ 'text/plain': 'x' }, { 'text/html': 9_000_000 }), false)).toMatchObject({
      look: 'html',
      omitted: 9_000_000,
    });
  });

  it('is one text, also where the format has lines', () => {
    expect([textOf(['a\n', 'b']), textOf({ a: 1 }), textOf(undefined)]).toEqual(['a\nb', '{\n  "a": 1\n}', '']);
  });
});
