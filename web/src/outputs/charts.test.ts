import { expect, it } from 'vitest';
import { chartHtml, libraryOf, specIn } from './charts';

it('knows which library draws a chart', () => {
  const of = (mime: string, value: unknown = {}) => libraryOf(`application/vnd.${mime}+json`, value);
  expect(libraryOf('application/vnd.vegalite.v6.json', {})).toBe('vegalite');
  expect([of('vegalite.v5'), of('vegalite.v5.20.1'), of('vega.v5'), of('vega.v9'), of('x')]).toEqual([
    'vegalite',
    'vegalite',
    'vega',
    null,
    null,
  ]);
  const plot = (...types: unknown[]) => of('plotly.v1', { data: types.map((type) => ({ type })) });
  expect([plot('bar', 'scattergl', undefined), plot('bar', 'scatter3d')]).toEqual(['plotly', null]);
});

it('lets nothing in a chart or in a library end its script', () => {
  const html = chartHtml('plotly', { data: [{ type: 'scattergl', name: '</script><script>x()' }] }, [
    'a = "</script>"',
  ]);
  expect(html.match(/<\/script>/g)).toHaveLength(2);
  expect(html).toContain('"type":"scatter"');
});

it('finds the chart in the markup of Altair', () => {
  const html = (spec: string) =>
    `<div id="a"></div><script>(function(spec, opt){ vegaEmbed(a, spec, opt) })(${spec}, {"mode": "vega-lite"});\n</script>`;
  expect(specIn(html('{"mark": {"type": "bar"}, "data": {"x": "}, {"}}'))).toEqual({
    mark: { type: 'bar' },
    data: { x: '}, {' },
  });
  for (const other of [html('{"mark": '), '<script>f({"a": 1}, {"mode": "vega-lite"});</script>', '<b>x</b>']) {
    expect(specIn(other)).toBeNull();
  }
});
