// Charts that come as data for a library: what of them can be drawn, and the page that draws one in the frame of outputs
// with scripts. The libraries are served by us and put into the page as text: the frame reaches no network. Pure.

/** Which library draws a form; null if none does. */
export function libraryOf(mime: string, value: unknown): Library | null {
  if (mime === 'application/vnd.plotly.v1+json') return canPlot(value) ? 'plotly' : null;
  if (/^application\/vnd\.vegalite\.v[2-6](\.\d+)*[+.]json$/.test(mime)) return 'vegalite';
  return /^application\/vnd\.vega\.v[3-6](\.\d+)*[+.]json$/.test(mime) ? 'vega' : null;
}

/** The chart in the markup that Altair makes where nothing else was chosen; null if it is none. */
export function specIn(html: string): object | null {
  if (!html.includes('vegaEmbed(')) return null;
  const [, spec] = /\}\)\((\{.*\}), \{"mode": "vega-lite".*\}\);\s*<\/script>\s*$/.exec(html) ?? [];
  try {
    return spec ? JSON.parse(spec) : null;
  } catch {
    return null;
  }
}

/** What draws. */
export type Library = 'plotly' | 'vega' | 'vegalite';

/** The kinds of traces that our part of Plotly draws; the others (maps, three dimensions) are as large again. */
const TRACES = new Set(
  'bar box contour heatmap histogram histogram2d histogram2dcontour image pie scatter scatterternary violin'.split(' '),
);

/** Kinds that are the same, drawn otherwise. */
const SAME: Record<string, string> = { scattergl: 'scatter', heatmapgl: 'heatmap' };

interface Plot {
  data?: unknown;
  layout?: unknown;
  config?: unknown;
  frames?: unknown;
}

function tracesOf(value: unknown): Record<string, unknown>[] {
  const { data } = (typeof value === 'object' && value !== null ? value : {}) as Plot;
  return Array.isArray(data) ? data.filter((trace) => typeof trace === 'object' && trace !== null) : [];
}

const kindOf = ({ type }: Record<string, unknown>) => (typeof type === 'string' ? (SAME[type] ?? type) : 'scatter');

function canPlot(value: unknown): boolean {
  return value === undefined || tracesOf(value).every((trace) => TRACES.has(kindOf(trace)));
}

/** The markup that draws a chart, with the texts of the libraries that it needs. */
export function chartHtml(library: Library, value: unknown, libraries: readonly string[]): string {
  const drawn = library === 'plotly' ? { ...(value as Plot), data: plotted(value) } : value;
  const scripts = [...libraries, `const chart = ${asScript(drawn)};\n${SAY}\n${DRAW[library]}`];
  return `<div id="chart"></div><p id="said" hidden></p>${scripts.map((text) => `<script>${shut(text)}</script>`).join('')}`;
}

const plotted = (value: unknown) => tracesOf(value).map((trace) => ({ ...trace, type: kindOf(trace) }));

/** JSON is a script's value but for two line ends, which no text may hold in old ones. */
const asScript = (value: unknown) =>
  JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029').replaceAll('<', '\\u003c');

/** Nothing in a script ends it, or begins a comment of the markup. */
const shut = (text: string) => text.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');

const SAY = `const say = (words) => {
  const said = document.getElementById('said');
  said.textContent = words;
  said.hidden = false;
};
const failed = (error) => say('Couldn’t draw this chart: ' + (error && error.message || error));`;

const VEGA = `const logger = {
  level() { return logger; }, info() { return logger; }, debug() { return logger; },
  error(...words) { failed(words.join(' ')); return logger; },
  warn(...words) {
    if (/Loading failed/.test(words.join(' '))) say('This chart loads remote data, which is blocked: outputs can’t use the network.');
    return logger;
  },
};
const draw = (spec) => new vega.View(vega.parse(spec), { renderer: 'svg', container: '#chart', hover: true, logger }).runAsync();`;

const DRAW: Record<Library, string> = {
  plotly: `try {
  const { data, layout, config, frames } = chart;
  const settings = { responsive: true, displaylogo: false, ...config };
  Plotly.newPlot('chart', { data, layout: layout || {}, config: settings, frames: frames || [] }).catch(failed);
} catch (error) { failed(error); }`,
  vega: `${VEGA}\ntry { draw(chart).catch(failed); } catch (error) { failed(error); }`,
  vegalite: `${VEGA}\ntry { draw(vegaLite.compile(chart, { logger }).spec).catch(failed); } catch (error) { failed(error); }`,
};
