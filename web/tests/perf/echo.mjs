// Fifty people type into one document: how long until one's keystroke is in another's copy. Everybody has a socket
// and is sent everything. Three follow with whole copies and measure; the others type from a thread of their own and
// drop what they are sent, so that the server is measured and not fifty copies in one process. The peer is the same
// crowd at a Yjs relay in Node that keeps nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Client, firstLine, median, quantile, startAside } from './aside.mjs';

const CLIENTS = 50;
const FOLLOWERS = 3;
const ROUNDS = 3;
const SECONDS = 5;
const PER_SECOND = 4;
const FILE = 'shared.txt';
const TEXT = 'a line of text\n'.repeat(200);

/** Microseconds of a clock that all threads share. */
const clock = () => Number(process.hrtime.bigint() / 1000n);

async function typists({ server, count }) {
  const clients = Array.from({ length: count }, () => new Client(server, false));
  const docs = await Promise.all(clients.map((client) => client.open(FILE)));
  let strokes = 0;
  const timers = docs.map((doc, index) =>
    setInterval(
      () => {
        strokes++;
        doc.getText('text').insert((index * 40 + 7) % TEXT.length, `‹${clock()}›`);
      },
      1000 / PER_SECOND + index,
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  for (const timer of timers) clearInterval(timer);
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const client of clients) client.close();
  return strokes;
}

function measure(doc, delays) {
  doc.getText('text').observe((event) => {
    const now = clock();
    for (const part of event.changes.delta)
      for (const match of String(part.insert ?? '').matchAll(/‹(\d+)›/g)) delays.push((now - Number(match[1])) / 1000);
  });
}

async function round(server) {
  const clients = Array.from({ length: FOLLOWERS }, () => new Client(server));
  const docs = await Promise.all(clients.map((client) => client.open(FILE)));
  const delays = [];
  for (const doc of docs) measure(doc, delays);
  const workerData = { server: { url: server.url, token: server.token }, count: CLIENTS - FOLLOWERS };
  const [strokes] = await once(new Worker(fileURLToPath(import.meta.url), { workerData }), 'message');
  const texts = docs.map((doc) => doc.getText('text').toString());
  for (const client of clients) client.close();
  if (texts.some((text) => text !== texts[0])) throw new Error('the copies differ after typing');
  const seen = texts[0].match(/‹\d+›/g)?.length ?? 0;
  if (seen < strokes || delays.length < strokes * FOLLOWERS) {
    throw new Error(`of ${strokes} keystrokes ${seen} are in the text, and ${delays.length} were seen`);
  }
  return { p50: median(delays), p99: quantile(delays, 0.99) };
}

async function startRelay() {
  const child = spawn(process.execPath, [fileURLToPath(new URL('relay.mjs', import.meta.url))], {
    env: { ...process.env, TEXT },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { ...JSON.parse(await firstLine(child)), stop: () => child.kill() };
}

/** Median of rounds, in turn; every round with a new server. */
export async function echo() {
  const ours = [];
  const theirs = [];
  for (let count = 0; count < ROUNDS; count++) {
    const aside = await startAside({}, (folder) => writeFileSync(join(folder, FILE), TEXT));
    ours.push(await round(aside));
    await aside.stop();
    const relay = await startRelay();
    theirs.push(await round(relay));
    await relay.stop();
  }
  const of = (rounds, what) => median(rounds.map((figures) => figures[what]));
  return { p99: of(ours, 'p99'), p50: of(ours, 'p50'), peer99: of(theirs, 'p99'), peer50: of(theirs, 'p50') };
}

if (!isMainThread) parentPort.postMessage(await typists(workerData));
