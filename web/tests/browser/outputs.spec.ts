import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachOn } from './each';
import { cellOf, code, go, notebookOf, openNotebook, text } from './notebooks';

const display = (data: object) => ({ output_type: 'display_data', metadata: {}, data });
const VALUES = [
  { a: 'ebb', b: 3 },
  { a: 'flood', b: 5 },
];
const FORMS = {
  vegalite: display({
    'application/vnd.vegalite.v5+json': {
      data: { values: VALUES },
      mark: 'bar',
      encoding: { x: { field: 'a' }, y: { field: 'b', type: 'quantitative' } },
    },
    'text/plain': 'a chart in words',
  }),
  vega: display({
    'application/vnd.vega.v5+json': {
      width: 50,
      height: 50,
      marks: [{ type: 'text', encode: { enter: { text: { value: 'drawn by vega' } } } }],
    },
  }),
  plotly: display({
    'application/vnd.plotly.v1+json': {
      data: [{ type: 'scattergl', x: [1, 2], y: [3, 4] }],
      layout: { title: { text: 'Heights' } },
    },
  }),
  mesh: display({ 'application/vnd.plotly.v1+json': { data: [{ type: 'mesh3d' }] }, 'text/plain': 'in words' }),
  script: display({ 'text/html': '<b id=here>still</b><script>here.textContent = "moved"</script>' }),
};
const STYLED =
  '<style>#T_1 td { color: rgb(1, 2, 3) }</style><table id="T_1"><td>blue</td></table>' +
  '<input value="typed"><label><input type="checkbox">more</label><iframe src="https://there.org/map"></iframe>';

/** As rich prints: colours of a terminal whose ground is black. */
const RICH =
  '<pre><span style="color: #800000">in red</span> <b style="color: #ffff00">in yellow</b>' +
  '<span style="background-color: #fff"><i style="color: #000080">on white</i></span></pre>';

const FETCHED = '<p>Loading</p><script src="https://library.example/all.js"></script>';

const PRINTED = Array.from({ length: 3000 }, (_, at) => `line ${at} ${'.'.repeat(60)}\n`);

const TRACEBACK = [...Array.from({ length: 99 }, (_, at) => `line ${at}`), 'E: the end'];

/** As what brings its library along: more than is sent unasked. */
const LARGE = `<b id=there>still</b><script>/*${'.'.repeat(2_000_000)}*/there.textContent = "moved at last"</script>`;

/** As pandas says a table. */
const TABULAR = '\\begin{tabular}{lr}\n\\toprule\n & a \\\\\n\\bottomrule\n\\end{tabular}\n';

const at = eachOn({
  'tides.ipynb': notebookOf([
    ...Object.entries(FORMS).map(([id, output]) => code(id, '', [output])),
    code('long', '', [{ output_type: 'stream', name: 'stdout', text: PRINTED }]),
    code('failed', '', [{ output_type: 'error', ename: 'E', evalue: 'the end', traceback: TRACEBACK }]),
    code('odd', '', [
      { output_type: 'stream', name: 'stdout', text: 'a\u202eb می\u200cخواهم (https://here.org/x?y=1).' },
    ]),
    code('tabular', '', [
      display({ 'text/latex': TABULAR, 'text/plain': '<IPython.core.display.Latex object>' }),
      display({ 'text/latex': 'The $\\unheard{of}$', 'text/plain': 'in words' }),
    ]),
    code('rich', '', [display({ 'text/html': RICH })]),
    text('formulas', 'See $\\unheard{of}$, $\\frac{1}{$ and $x_1 = \\textcolor{darkblue}{y}$.'),
    code('styled', '', [display({ 'text/html': STYLED })]),
    code('fetched', '', [display({ 'text/html': FETCHED })]),
    code('latex', '', [display({ 'text/latex': 'The *sum* $x_1$ and\n\\begin{equation}y\\end{equation}' })]),
  ]),
});

/** How well letters stand out from the page. */
const contrast = (letters: Locator) =>
  letters.evaluate((element) => {
    const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const light = (colour: string): number => {
      if (!pixel) return 0;
      pixel.fillStyle = colour;
      pixel.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...pixel.getImageData(0, 0, 1, 1).data].map((part) =>
        part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ground = getComputedStyle(document.body).backgroundColor;
    const [low = 0, high = 0] = [light(getComputedStyle(element).color), light(ground)].sort((one, two) => one - two);
    return (high + 0.05) / (low + 0.05);
  });

const frameOf = (page: Page, id: string) => cellOf(page, id).frameLocator('iframe');

describe('outputs that came with a file', () => {
  it('run their scripts and draw their charts once the notebook is trusted, and not after that is taken back', async () => {
    const page = await openNotebook(at);
    await cellOf(page, 'script').getByText('still').waitFor();
    await cellOf(page, 'vegalite').getByText('a chart in words').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    await cellOf(page, 'vega').getByText('It appears once the notebook is trusted.').waitFor();
    await page.getByRole('button', { name: 'Not trusted' }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Trust this notebook' }).click();
    await frameOf(page, 'script').getByText('moved').waitFor();
    await frameOf(page, 'vegalite').locator('svg').getByText('flood').waitFor();
    await cellOf(page, 'plotly').scrollIntoViewIfNeeded();
    await frameOf(page, 'vega').locator('svg').getByText('drawn by vega').waitFor();
    await frameOf(page, 'plotly').locator('svg').getByText('Heights').waitFor();
    await cellOf(page, 'mesh').getByText('in words').waitFor();
    await page.getByRole('button', { name: 'Trusted', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke trust' }).click();
    await expect.poll(() => page.locator('iframe').count()).toBe(0);
  });

  it('keep their own styles and what is ticked, and say what of theirs is elsewhere', async () => {
    const page = await openNotebook(at);
    const styled = cellOf(page, 'styled');
    await styled.scrollIntoViewIfNeeded();
    const cell = styled.getByText('blue');
    expect(await cell.evaluate((cell) => getComputedStyle(cell).color)).toBe('rgb(1, 2, 3)');
    await styled.getByRole('checkbox', { name: 'more' }).check();
    expect(await styled.locator('[data-output] input').count()).toBe(1);
    await styled.getByRole('link', { name: 'https://there.org/map' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Not trusted' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Trust this notebook' }).click();
    await cellOf(page, 'fetched').scrollIntoViewIfNeeded();
    await cellOf(page, 'fetched').getByText('Blocked a request to library.example').waitFor();
  });

  it('are trusted in every window at once, and no more when another program has changed them', async () => {
    const [page, other] = [await openNotebook(at), await openNotebook(at)];
    await other.getByRole('button', { name: 'Not trusted' }).waitFor();
    await page.getByRole('button', { name: 'Not trusted' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Trust this notebook' }).click();
    await frameOf(page, 'script').getByText('moved').waitFor();
    await frameOf(other, 'script').getByText('moved').waitFor();
    at.workspace.write('tides.ipynb', at.workspace.read('tides.ipynb').replace('still', 'changed'));
    await other.getByRole('button', { name: 'Not trusted' }).waitFor();
    await expect.poll(() => page.locator('iframe').count()).toBe(0);
  });

  it('of great length show their ends, and all of it when that is asked for', async () => {
    const page = await openNotebook(at);
    const printed = cellOf(page, 'long').locator('[data-output]');
    await printed.getByText('line 2999').waitFor();
    expect(await printed.getByText('line 1500').count()).toBe(0);
    await printed.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => printed.getByText('line 1500').count()).toBeGreaterThan(0);
  });

  it('show how a failure ended, what can’t be seen, where a link leads, and formulas in their text', async () => {
    const page = await openNotebook(at);
    await cellOf(page, 'failed').scrollIntoViewIfNeeded();
    const box = cellOf(page, 'failed').getByRole('figure', { name: 'Error: E: the end' });
    await expect.poll(() => box.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)).toBeLessThan(2);
    await cellOf(page, 'odd').scrollIntoViewIfNeeded();
    await cellOf(page, 'odd').getByText('aU+202Eb می\u200cخواهم').waitFor();
    const link = cellOf(page, 'odd').getByRole('link', { name: 'https://here.org/x?y=1', exact: true });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    await cellOf(page, 'latex').scrollIntoViewIfNeeded();
    await cellOf(page, 'latex').getByText('The *sum*').waitFor();
    await expect.poll(() => cellOf(page, 'latex').locator('.katex').count()).toBe(2);
    expect(await violations(page)).toEqual([]);
  });

  it('in colours can be read on the page’s ground; what brings its own keeps them', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openNotebook(at, { colorScheme });
      const [rich, formulas] = [cellOf(page, 'rich'), cellOf(page, 'formulas')];
      await rich.scrollIntoViewIfNeeded();
      for (const words of ['in red', 'in yellow']) {
        expect(await contrast(rich.getByText(words, { exact: true }))).toBeGreaterThan(4.5);
      }
      const own = rich.getByText('on white');
      expect(await own.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(0, 0, 128)');
      await formulas.locator('math').nth(1).waitFor();
      for (const ink of ['mtext', '.katex-error', 'mstyle[mathcolor="darkblue"]']) {
        expect(await contrast(formulas.locator(ink).first())).toBeGreaterThan(4.5);
      }
    }
  });

  it('show LaTeX that is no formula in plain text, the code’s own if there is one', async () => {
    const page = await openNotebook(at);
    const tabular = cellOf(page, 'tabular');
    await tabular.scrollIntoViewIfNeeded();
    expect(await tabular.getByRole('figure', { name: 'LaTeX' }).textContent()).toBe(TABULAR.trimEnd());
    await tabular.getByText('This LaTeX can’t be rendered.').waitFor();
    await tabular.getByRole('figure', { name: 'Result' }).getByText('in words').waitFor();
    expect(await tabular.getByText('unheard').count()).toBe(0);
    expect(await tabular.locator('.katex-error').count()).toBe(0);
  });

  it('too large to be sent unasked run their scripts once they are read and trusted', async () => {
    at.workspace.write('tides.ipynb', notebookOf([code('large', '', [display({ 'text/html': LARGE })])]));
    const page = await openNotebook(at);
    const large = cellOf(page, 'large');
    await large.getByRole('button', { name: 'Show all' }).waitFor();
    expect(await page.getByRole('button', { name: 'Not trusted' }).count()).toBe(0);
    await large.getByRole('button', { name: 'Show all' }).click();
    await large.getByText('still').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    await page.getByRole('button', { name: 'Not trusted' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Trust this notebook' }).click();
    await frameOf(page, 'large').getByText('moved at last').waitFor();
  });

  it('go where their cell is put after it was cut, and a copy of it has none', async () => {
    const page = await openNotebook(at);
    const order = () =>
      page.locator('[data-cell]').evaluateAll((all) => all.map((one) => one.getAttribute('data-cell')));
    await cellOf(page, 'mesh').getByText('in words').waitFor();
    await go(page, 'mesh');
    await page.keyboard.press('x');
    await expect.poll(order).not.toContain('mesh');
    await go(page, 'vegalite');
    await page.keyboard.press('v');
    await expect.poll(async () => (await order()).slice(0, 2)).toEqual(['vegalite', 'mesh']);
    await cellOf(page, 'mesh').getByText('in words').waitFor();
    await page.keyboard.press('v');
    await expect.poll(async () => (await order())[3]).toBe('vega');
    const cells = () => JSON.parse(at.workspace.read('tides.ipynb')).cells as { id: string; outputs: object[] }[];
    await expect.poll(() => cells()[1], { timeout: 10_000 }).toMatchObject({ id: 'mesh', outputs: [FORMS.mesh] });
    await expect.poll(() => cells()[2]?.outputs).toEqual([]);
    for (const _ of [1, 2, 3]) await page.keyboard.press('z');
    await expect.poll(async () => (await order()).slice(0, 5)).toEqual(Object.keys(FORMS));
    await cellOf(page, 'mesh').getByText('in words').waitFor();
  });
});
