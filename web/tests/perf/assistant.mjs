// The assistant in Chromium, with the rehearsal as its model: Accept to repaint, a long thread, an answer that streams.
// Prints one line a figure, as `main.mjs` does; read by `cargo xtask bench assistant`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, median, quantile, startAside } from './aside.mjs';
import { launch, openAside } from './browser.mjs';

const ROUNDS = 3;
/** Changes of one proposal, each accepted by itself. */
const CHANGES = 60;
const TURNS = 500;
const WORDS = 1500;

const LINES = Array.from({ length: CHANGES * 5 }, (_, line) =>
  line % 5 === 2 ? `value_${(line - 2) / 5} = 0` : `print("line ${line}")`,
);
const EDITS = Array.from({ length: CHANGES }, (_, at) => ({ old: `value_${at} = 0\n`, new: `value_${at} = 1\n` }));
const REHEARSAL = {
  name: 'bench',
  replies: [
    {
      when: 'change',
      steps: [
        { text: 'I change them.', calls: [{ name: 'doc.edit', args: { path: 'values.py', edits: EDITS } }] },
        { text: 'They are changed.' },
      ],
    },
    {
      when: 'stream',
      steps: [{ text: Array.from({ length: WORDS }, (_, at) => `word${at}`).join(' '), delay_ms: 2 }],
    },
  ],
  otherwise: 'An answer with **some** words, `code`, and a list:\n\n- one\n- two\n',
};

function prepare(folder) {
  mkdirSync(join(folder, '.aside'));
  writeFileSync(join(folder, '.aside/rehearsal.json'), JSON.stringify(REHEARSAL));
  writeFileSync(join(folder, 'values.py'), `${LINES.join('\n')}\n`);
}

/**
 * From the key that accepts a change to the moment after the frame that shows its line in place of the old one, and to
 * that after which the document holds it: milliseconds, a change each.
 */
async function accepts(browser, aside) {
  const page = await openAside(browser, aside);
  await page.getByRole('treeitem', { name: 'values.py', exact: true }).click();
  await page.locator('.cm-line', { hasText: 'value_0 = 0' }).waitFor();
  const composer = page.getByRole('textbox', { name: 'Message to the assistant' });
  await composer.fill('change them');
  await composer.press('Enter');
  await page.getByText(`${CHANGES} changes proposed`).waitFor();
  await page.waitForTimeout(500);
  await page.keyboard.press('Alt+]');
  await page.evaluate(() => {
    window.shown = [];
    window.held = [];
    const has = (lines, text) => [...document.querySelectorAll(lines)].some((line) => line.textContent === text);
    const afterPaint = (run) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = run;
      // A message sent before painting arrives after it.
      requestAnimationFrame(() => port2.postMessage(null));
    };
    window.addEventListener(
      'keydown',
      ({ key, altKey, timeStamp }) => {
        if (key !== 'y' || !altKey) return;
        const at = window.held.length;
        const look = () => {
          const now = performance.now() - timeStamp;
          const held = has('.cm-line', `value_${at} = 1`);
          const shown = held || has('.cm-hunk-answered .cm-hunk-new', `value_${at} = 1`);
          if (shown && !has('.cm-line', `value_${at} = 0`)) window.shown[at] ??= now;
          if (held) window.held.push(now);
          else afterPaint(look);
        };
        afterPaint(look);
      },
      true,
    );
  });
  for (let at = 0; at < CHANGES; at++) {
    await page.keyboard.press('Alt+y');
    await page.waitForFunction((count) => window.held.length > count, at, { polling: 20, timeout: 10_000 });
  }
  const { shown, held } = await page.evaluate(() => ({ shown: window.shown, held: window.held }));
  await page.close();
  return { p98: quantile(shown, 0.98), p50: median(shown), held: median(held) };
}

/** Says so many things in a thread of its own, one after the other. */
async function talk(aside) {
  const client = new Client(aside);
  await client.ready;
  const { id } = await aside.api('POST', 'threads', { title: 'A long one' });
  let ended = () => {};
  client.onFrame = (frame) => frame.type === 'thread_event' && frame.event.body.type === 'turn_ended' && ended();
  client.send({ type: 'subscribe', thread: id, after: 0 });
  for (let turn = 0; turn < TURNS; turn++) {
    const end = new Promise((resolve) => {
      ended = resolve;
    });
    await aside.api('POST', `threads/${id}/turns`, { text: `Question ${turn}` });
    await end;
  }
  client.close();
}

/** From the press in the list of threads until the newest turn can be read, and until all are there. */
async function opens(browser, aside) {
  const page = await openAside(browser, aside);
  await page.getByRole('button', { name: 'Threads: New thread' }).click();
  const entry = page.getByRole('dialog', { name: 'Threads' }).getByRole('button', { name: 'A long one', exact: true });
  await entry.waitFor();
  const figures = await entry.evaluate(
    (button, [newest, all]) =>
      new Promise((resolve) => {
        const began = performance.now();
        const log = () => document.querySelector('[role=log]');
        let readable = 0;
        const look = () => {
          const asked = log()?.querySelectorAll('[data-turn]') ?? [];
          const last = asked[asked.length - 1]?.textContent ?? '';
          if (!readable && last.includes(newest)) readable = performance.now() - began;
          if (asked.length >= all) resolve({ readable, whole: performance.now() - began });
          else requestAnimationFrame(() => setTimeout(look));
        };
        button.click();
        look();
      }),
    [`Question ${TURNS - 1}`, TURNS],
  );
  // A new window goes on with the thread that was shown last: the next round begins without one.
  await page.getByRole('button', { name: 'New thread', exact: true }).click();
  await page.waitForTimeout(500);
  await page.close();
  return figures;
}

/** How often React writes to the page in each frame while an answer streams; frames without a word don't count. */
async function streams(browser, aside) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(() => {
    window.commits = 0;
    window.frames = [];
    const onCommitFiberRoot = () => window.commits++;
    // What React tells its developer tools.
    const nothing = () => {};
    window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
      supportsFiber: true,
      inject: () => 1,
      checkDCE: nothing,
      onCommitFiberRoot,
      onCommitFiberUnmount: nothing,
      onPostCommitFiberRoot: nothing,
    };
    const frame = () => {
      if (window.commits > 0) window.frames.push(window.commits);
      window.commits = 0;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await page.goto(`${aside.url}#token=${aside.token}`);
  await page.getByText('Synced', { exact: true }).waitFor();
  const log = page.getByRole('log', { name: 'Conversation' });
  const composer = page.getByRole('textbox', { name: 'Message to the assistant' });
  await composer.fill('stream');
  await composer.press('Enter');
  await log.getByText('word20 ', { exact: false }).first().waitFor();
  await page.evaluate(() => {
    window.frames = [];
  });
  await page.waitForFunction(
    (last) => document.querySelector('[role=log]')?.textContent?.includes(last),
    `word${WORDS - 100}`,
    { polling: 50 },
  );
  const frames = await page.evaluate(() => window.frames);
  await page.close();
  if (frames.length < 30) throw new Error(`only ${frames.length} frames had anything new`);
  return { p98: quantile(frames, 0.98), most: Math.max(...frames) };
}

const show = (name, value, limit = '') => console.log([name, value.toFixed(2), limit, '', ''].join('\t'));
const browser = await launch();
const accepted = [];
for (let round = 0; round < ROUNDS; round++) {
  const aside = await startAside({}, prepare);
  accepted.push(await accepts(browser, aside));
  await aside.stop();
}
const aside = await startAside({}, prepare);
await talk(aside);
const opened = [];
for (let round = 0; round < ROUNDS; round++) opened.push(await opens(browser, aside));
const streamed = await streams(browser, aside);
await aside.stop();
await browser.close();
const of = (rounds, what) => median(rounds.map((figures) => figures[what]));
show('Accept to repaint, p98 (ms)', of(accepted, 'p98'), 50);
show('Accept to repaint, p50 (ms)', of(accepted, 'p50'));
show('Accept until the document holds it, p50 (ms)', of(accepted, 'held'));
show(`a thread of ${TURNS} turns, until the newest can be read (ms)`, of(opened, 'readable'), 1000);
show('until all its turns are there (ms)', of(opened, 'whole'));
show('commits a frame while an answer streams, p98', streamed.p98, 1);
show('commits a frame, the most', streamed.most);
process.exit(0);
