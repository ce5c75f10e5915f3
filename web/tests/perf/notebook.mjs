// A notebook of 1,000 cells in Chromium, the whole app with the real server: how soon its first cell can be edited, from key
// to the painted frame in its middle, how it scrolls, what it brings over the wire, and whether 100,000 printed lines hold
// the page up.
// The first and the keys stand beside JupyterLab's. Prints one line a figure,
// `name<TAB>value<TAB>limit<TAB>peer<TAB>what the peer is`; read by `cargo xtask bench notebook`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, quantile, startAside } from './aside.mjs';
import { launch } from './browser.mjs';
import { jupyterLab } from './jupyterlab.mjs';
import { keysToFrames } from './keys.mjs';

const ROUNDS = 3;
const CELLS = 1000;
const KEYS = 120;
const FRAMES = 240;
/** Pixels a frame: as fast as a wheel is turned. */
const STEP = 300;
const WORDS = 'total = total + value  # so far ';

const code = (at) => ({
  cell_type: 'code',
  id: `c${at}`,
  metadata: {},
  execution_count: at,
  source: `def height_${at}(x):\n    # cell ${at}\n    return x * ${at} + sum(range(${at}))\n\nheight_${at}(2)`,
  outputs:
    at % 5 === 0
      ? [{ output_type: 'stream', name: 'stdout', text: `the height of ${at}\nin metres\n` }]
      : at % 7 === 0
        ? [{ output_type: 'execute_result', execution_count: at, metadata: {}, data: { 'text/plain': `${at * 2}` } }]
        : [],
});
const prose = (at) => ({
  cell_type: 'markdown',
  id: `m${at}`,
  metadata: {},
  source: `## Part ${at}\n\nWhat follows is *measured*, see [the table](#t).\n\n- one\n- two`,
});
const METADATA = { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } };
const file = (cells) => JSON.stringify({ cells, metadata: METADATA, nbformat: 4, nbformat_minor: 5 }, null, 1);
const LONG = file(Array.from({ length: CELLS }, (_, at) => (at % 10 === 0 ? prose(at) : code(at))));
const PRINT = file([
  { ...code(1), id: 'print', source: 'for n in range(100_000): print("line", n, "of many")', outputs: [] },
]);

/** Opens a notebook in a window of its own; the window counts its long tasks. */
async function open(browser, aside, name) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(() => {
    window.long = [];
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) window.long.push({ startTime, duration });
    }).observe({ type: 'longtask' });
  });
  await page.goto(`${aside.url}w/x/f/${name}#token=${aside.token}`, { waitUntil: 'commit' });
  return page;
}

/** Milliseconds from the start of the page to an editor in its first cell of code. */
async function editable(page) {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const look = () => {
          const editor = document.querySelector('[data-kind="code"] .cm-content');
          if (editor) resolve(performance.now());
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

/** Kilobytes of scripts that came over the wire. */
const scripts = (page) =>
  page.evaluate(
    () =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024,
  );

/** Types into a cell in the middle; milliseconds, a key each. */
async function type(page) {
  const cell = page.locator('[data-cell="c501"]');
  await cell.scrollIntoViewIfNeeded();
  await cell.locator('.cm-content').waitFor();
  await cell.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  return keysToFrames(page, WORDS, KEYS);
}

/** Scrolls on from the top; the milliseconds between frames. */
const scroll = (page) =>
  page.locator('[data-notebook]').evaluate(
    (element, [frames, step]) =>
      new Promise((resolve) => {
        element.scrollTop = 0;
        const times = [];
        let last = performance.now();
        const next = () => {
          const now = performance.now();
          times.push(now - last);
          last = now;
          element.scrollTop += step;
          if (times.length < frames) requestAnimationFrame(next);
          else resolve(times.slice(1));
        };
        requestAnimationFrame(next);
      }),
    [FRAMES, STEP],
  );

/** All cells are drawn and nothing is left to do. */
async function settled(page) {
  await page.waitForFunction((count) => document.querySelectorAll('[data-cell]').length === count, CELLS);
  await page.waitForTimeout(1000);
}

/** What was measured in one window on the long notebook. */
async function round(browser, aside) {
  const page = await open(browser, aside, 'long.ipynb');
  const first = await editable(page);
  const size = await scripts(page);
  await settled(page);
  const frames = await scroll(page);
  const keys = await type(page);
  await page.close();
  return { first, size, keys98: quantile(keys, 0.98), keys50: median(keys), scroll98: quantile(frames, 0.98) };
}

/** The longest tasks of the page while code prints 100,000 lines. */
async function printing(browser, aside) {
  const page = await open(browser, aside, 'print.ipynb');
  await editable(page);
  await page.waitForTimeout(2000);
  await page.locator('[data-cell="print"]').focus();
  const began = await page.evaluate(() => performance.now());
  await page.keyboard.press('Control+Enter');
  await page.locator('[data-output]').getByText('line 99999 of many').waitFor({ timeout: 60_000 });
  await page.waitForTimeout(500);
  const tasks = await page.evaluate((from) => window.long.filter(({ startTime }) => startTime >= from), began);
  await page.close();
  return { count: tasks.length, worst: Math.max(0, ...tasks.map(({ duration }) => duration)) };
}

const show = (name, value, limit = '', peer = undefined) =>
  console.log(
    [name, value.toFixed(1), limit, peer?.toFixed(1) ?? '', peer === undefined ? '' : 'JupyterLab'].join('\t'),
  );

const aside = await startAside(
  process.env.ASIDE_KERNEL_ENV ? { VIRTUAL_ENV: process.env.ASIDE_KERNEL_ENV } : {},
  (folder) => {
    writeFileSync(join(folder, 'long.ipynb'), LONG);
    writeFileSync(join(folder, 'print.ipynb'), PRINT);
  },
);
const browser = await launch();
const rounds = [];
for (let count = 0; count < ROUNDS; count++) rounds.push(await round(browser, aside));
const of = (what) => median(rounds.map((figures) => figures[what]));
const python = process.env.ASIDE_KERNEL_ENV && join(process.env.ASIDE_KERNEL_ENV, 'bin/python');
const peer = python ? await jupyterLab(browser, python, LONG, { rounds: ROUNDS, words: WORDS, keys: KEYS }) : {};
show('1,000 cells: first cell can be edited (ms)', of('first'), 1000, peer.first);
show('1,000 cells: JavaScript until then (KB as sent)', of('size'), 350);
show('1,000 cells: key to frame in the middle, p98 (ms)', of('keys98'), 50, peer.keys98);
show('1,000 cells: key to frame in the middle, p50 (ms)', of('keys50'), '', peer.keys50);
show('1,000 cells: scrolling, frame p98 (ms)', of('scroll98'), 100);
if (process.env.ASIDE_KERNEL_ENV) {
  const printed = await printing(browser, aside);
  show('100,000 lines in a window: long tasks', printed.count, 0);
  show('100,000 lines in a window: the longest (ms)', printed.worst);
}
await browser.close();
await aside.stop();
process.exit(0);
