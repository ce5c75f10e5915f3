// Counts the work of a page's main thread in a trace of Chromium: frames, style recalculations, layouts and paints.
// Unlike times, the counts don't depend on how busy the machine is.
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Kinds of work, each with the name of its events in a trace. */
const EVENTS = { frames: 'Commit', styles: 'UpdateLayoutTree', layouts: 'Layout', paints: 'Paint' };

/** Traces the page while `keys` keys are pressed by `run`; returns how often each kind of work was done for a key. */
export async function workOf(page, keys, run) {
  const events = await traced(page, run);
  const pressed = events.filter(({ name, args }) => name === 'EventDispatch' && args.data?.type === 'keydown');
  if (pressed.length < keys) throw new Error(`the trace has only ${pressed.length} of ${keys} keys`);
  const [{ pid, tid }] = pressed;
  const count = (event) => events.filter((one) => one.name === event && one.pid === pid && one.tid === tid).length;
  return Object.fromEntries(Object.entries(EVENTS).map(([kind, event]) => [kind, count(event) / keys]));
}

async function traced(page, run) {
  const path = join(tmpdir(), `aside-trace-${process.pid}.json`);
  const browser = page.context().browser();
  await browser.startTracing(page, {
    path,
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
  });
  await run();
  await browser.stopTracing();
  const { traceEvents } = JSON.parse(readFileSync(path, 'utf8'));
  rmSync(path);
  return traceEvents.filter(({ ph }) => ph === 'X' || ph === 'B' || ph === 'I');
}
