// JupyterLab with the same long notebook in the same Chromium: how soon its first cell can be edited, and from key to the
// painted frame in its middle.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, quantile } from './aside.mjs';
import { keysToFrames } from './keys.mjs';

const TOKEN = 'measured';

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts it in a folder of its own with a notebook, and waits until it answers. */
async function start(python, notebook) {
  const folder = mkdtempSync(join(tmpdir(), 'aside-jupyterlab-'));
  writeFileSync(join(folder, 'long.ipynb'), notebook);
  const url = `http://127.0.0.1:${await freePort()}`;
  const settings = [
    `--port=${new URL(url).port}`,
    `--ServerApp.root_dir=${folder}`,
    `--IdentityProvider.token=${TOKEN}`,
  ];
  const child = spawn(python, ['-m', 'jupyterlab', '--no-browser', '--allow-root', '--ip=127.0.0.1', ...settings], {
    // Nothing of the person's own settings, and no question about news.
    env: { PATH: process.env.PATH, HOME: folder, JUPYTER_CONFIG_DIR: join(folder, '.config') },
    stdio: 'ignore',
  });
  const answers = () =>
    fetch(`${url}/api?token=${TOKEN}`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`JupyterLab ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop };
}

/** Opens the notebook in a window of its own, and types into a cell in its middle. */
async function round(browser, { url }, words, keys) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${url}/lab/tree/long.ipynb?reset&token=${TOKEN}`, { waitUntil: 'commit' });
  const editor = page.locator('.jp-Notebook .jp-CodeCell .cm-content[contenteditable="true"]');
  await editor.first().waitFor({ timeout: 120_000 });
  const first = await page.evaluate(() => performance.now());
  await page.waitForTimeout(3000);
  await page.locator('.jp-Notebook .jp-WindowedPanel-outer').evaluate((outer) => {
    outer.scrollTop = outer.scrollHeight / 2;
  });
  await page.waitForTimeout(2000);
  const inView = await editor.evaluateAll((editors) =>
    editors.findIndex((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top > 200 && bottom < 800;
    }),
  );
  await editor.nth(inView).click();
  await page.keyboard.press('Control+End');
  const measured = await keysToFrames(page, words, keys);
  await context.close();
  return { first, keys98: quantile(measured, 0.98), keys50: median(measured) };
}

/** Medians of rounds. */
export async function jupyterLab(browser, python, notebook, { rounds, words, keys }) {
  const lab = await start(python, notebook);
  const all = [];
  for (let count = 0; count < rounds; count++) all.push(await round(browser, lab, words, keys));
  await lab.stop();
  const of = (what) => median(all.map((figures) => figures[what]));
  return { first: of('first'), keys98: of('keys98'), keys50: of('keys50') };
}
