// A folder of 20,000 files: how long its listing takes, and how the tree scrolls and walks by keys in Chromium.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, quantile, startAside } from './aside.mjs';
import { launch, openAside } from './browser.mjs';

const FILES = 20_000;
const LISTINGS = 7;
const FRAMES = 120;

async function listing(aside) {
  const times = [];
  for (let run = 0; run < LISTINGS; run++) {
    const began = performance.now();
    const { entries } = await aside.api('GET', 'files?folder=many');
    times.push(performance.now() - began);
    if (entries.length !== FILES) throw new Error(`${entries.length} of ${FILES} files were listed`);
  }
  return median(times);
}

/** Scrolls through the whole tree; returns the milliseconds between frames. */
function scroll(tree, frames) {
  return tree.evaluate(
    (element, frames) =>
      new Promise((resolve) => {
        const times = [];
        let last = performance.now();
        const next = () => {
          const now = performance.now();
          times.push(now - last);
          last = now;
          element.scrollTop = (element.scrollHeight * times.length) / frames;
          if (times.length < frames) requestAnimationFrame(next);
          else resolve(times.slice(1));
        };
        requestAnimationFrame(next);
      }),
    frames,
  );
}

/** Returns the listing's time, and the frames of the tree. */
export async function explorer() {
  const aside = await startAside({}, (folder) => {
    mkdirSync(join(folder, 'many'));
    for (let file = 0; file < FILES; file++) writeFileSync(join(folder, 'many', `file_${file}.txt`), '');
  });
  const listed = await listing(aside);
  const browser = await launch();
  const page = await openAside(browser, aside);
  const began = performance.now();
  await page.getByRole('treeitem', { name: 'many', exact: true }).click();
  await page.getByRole('treeitem', { name: 'file_0.txt', exact: true }).waitFor();
  const opened = performance.now() - began;
  const frames = await scroll(page.getByRole('tree'), FRAMES);
  await browser.close();
  await aside.stop();
  return { listed, opened, p98: quantile(frames, 0.98), worst: Math.max(...frames) };
}
