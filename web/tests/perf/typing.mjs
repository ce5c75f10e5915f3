// Key to frame in a 5,000-line file, in Chromium: from the keydown to the second animation frame after it, when
// what the key did is on the screen. The peer is the same page with an empty file.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { quantile, startAside } from './aside.mjs';

const KEYS = 150;
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function source(lines) {
  const body = [];
  for (let line = 0; line < lines; line++)
    body.push(`def function_${line}(a, b):  # line ${line}`, `    return a + b * ${line}`);
  return `${body.slice(0, lines).join('\n')}\n`;
}

async function type(page, file) {
  await page.goto(page.url().replace(/\/w\/.*|\/?$/, ''), { waitUntil: 'load' }).catch(() => {});
  await page.keyboard.press('Control+p');
  await page.getByRole('combobox').fill(file);
  await page
    .getByRole('option', { name: new RegExp(file) })
    .first()
    .click();
  const editor = page.locator('.cm-content').last();
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+Home');
  await page.evaluate(() => {
    window.frames_ = [];
    addEventListener(
      'keydown',
      () => {
        const pressed = performance.now();
        requestAnimationFrame(() => requestAnimationFrame(() => window.frames_.push(performance.now() - pressed)));
      },
      true,
    );
  });
  for (let key = 0; key < KEYS; key++) await page.keyboard.type('x', { delay: 60 });
  await page.waitForTimeout(300);
  return page.evaluate(() => window.frames_);
}

export async function typing() {
  const aside = await startAside({}, (folder) => {
    writeFileSync(join(folder, 'long.py'), source(5000));
    writeFileSync(join(folder, 'short.py'), 'x = 1\n');
  });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${aside.url}#token=${aside.token}`, { waitUntil: 'load' });
  await page.getByRole('main').waitFor();
  const peer = await type(page, 'short.py');
  const long = await type(page, 'long.py');
  await browser.close();
  await aside.stop();
  return { p98: quantile(long, 0.98), p50: quantile(long, 0.5), peer: quantile(peer, 0.98) };
}
