// Key to frame in a 5,000-line file: from the moment the browser got the key to the moment after the frame that shows
// it was painted. The whole app, with sync, presence and saving. The peer is a page with nothing but CodeMirror; the two
// take turns.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { median, quantile, startAside } from './aside.mjs';
import { launch, openAside } from './browser.mjs';
import { workOf } from './frames.mjs';
import { keysToFrames, pressKeys } from './keys.mjs';
import { show } from './show.mjs';

const ROUNDS = 3;
const WORDS = '    total = total + value  # so far';
const KEYS = 150;
/** What a key may cost, as times of what it costs in CodeMirror alone. */
const MOST = 1.25;
/** Keys of which the work is counted: some more words than once. */
const COUNTED = 70;

const LINES = Array.from({ length: 5000 }, (_, line) =>
  line % 2 === 0 ? `def function_${line}(a, b):  # line ${line}` : `    return a + b * ${line}`,
);
const SOURCE = `${LINES.join('\n')}\n`;

/** Types words in the middle of the file; returns milliseconds and counts, a key each. */
async function type(page, editor) {
  await editor.click();
  await page.keyboard.press('Control+Home');
  for (let step = 0; step < 20; step++) await page.keyboard.press('PageDown');
  const measured = await keysToFrames(page, WORDS, KEYS);
  const work = await workOf(page, COUNTED, () => pressKeys(page, WORDS, COUNTED));
  return { p98: quantile(measured, 0.98), p50: median(measured), ...work };
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };

/** Builds and serves the page with nothing but CodeMirror. */
async function serveBare() {
  const outDir = mkdtempSync(join(tmpdir(), 'aside-bare-'));
  const root = fileURLToPath(new URL('bare', import.meta.url));
  await build({ root, configFile: false, logLevel: 'error', build: { outDir, target: 'es2023', emptyOutDir: true } });
  writeFileSync(join(outDir, 'long.py'), SOURCE);
  const server = createServer(({ url }, response) => {
    if (!existsSync(join(outDir, url))) return response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(url)] ?? 'text/plain');
    response.end(readFileSync(join(outDir, url)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
    rmSync(outDir, { recursive: true });
  };
  return { url: `http://127.0.0.1:${server.address().port}/index.html`, stop };
}

/** Opens the file from the tree; returns the editor and how long it took until its text was there. */
async function openLong(page) {
  const began = performance.now();
  await page.getByRole('treeitem', { name: 'long.py', exact: true }).click();
  await page.locator('.cm-line', { hasText: 'def function_0(' }).waitFor();
  return { editor: page.getByRole('textbox', { name: 'Text of long.py' }), opening: performance.now() - began };
}

/** The median of each figure. */
function medians(rounds) {
  const of = (name) => median(rounds.map((figures) => figures[name]));
  return Object.fromEntries(Object.keys(rounds[0]).map((name) => [name, of(name)]));
}

/** Figures of the file in Aside, and in a page with nothing but CodeMirror. */
async function typing() {
  const bare = await serveBare();
  const browser = await launch();
  const ours = [];
  const theirs = [];
  for (let round = 0; round < ROUNDS; round++) {
    const aside = await startAside({}, (folder) => writeFileSync(join(folder, 'long.py'), SOURCE));
    const page = await openAside(browser, aside);
    const { editor, opening } = await openLong(page);
    ours.push({ ...(await type(page, editor)), opening });
    await page.close();
    await aside.stop();
    const plain = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await plain.goto(bare.url);
    theirs.push(await type(plain, plain.getByRole('textbox')));
    await plain.close();
  }
  await browser.close();
  bare.stop();
  return { ours: medians(ours), theirs: medians(theirs) };
}

/** Prints the figures. */
export async function showTyping() {
  const { ours, theirs } = await typing();
  const beside = (name, figure, limit = '') => show(name, ours[figure], limit, theirs[figure], 'CodeMirror alone');
  const perKey = (work, figure) => beside(`${work} a key, 5,000 lines`, figure, theirs[figure] * MOST);
  beside('key to frame, 5,000 lines, p98 (ms)', 'p98', 50);
  beside('key to frame, 5,000 lines, p50 (ms)', 'p50');
  show('key to frame, 5,000 lines, p50 (times CodeMirror alone)', ours.p50 / theirs.p50, MOST);
  perKey('frames', 'frames');
  perKey('style recalculations', 'styles');
  perKey('layouts', 'layouts');
  perKey('paints', 'paints');
  show('opening a file of 5,000 lines (ms)', ours.opening, 200);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await showTyping();
  process.exit(0);
}
