// Fifty people type into one document: how long until one's keystroke is at another's. The clients share one
// process and one clock; each types a marked character a few times a second.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, quantile, startAside } from './aside.mjs';

const CLIENTS = 50;
const SECONDS = 6;
const PER_SECOND = 4;

export async function echo() {
  const text = 'a line of text\n'.repeat(200);
  const aside = await startAside({}, (folder) => writeFileSync(join(folder, 'shared.txt'), text));
  const clients = [];
  for (let index = 0; index < CLIENTS; index++) clients.push(new Client(aside));
  const docs = await Promise.all(clients.map((client) => client.open('shared.txt')));
  const sentAt = new Map();
  const delays = [];
  // One listener suffices: the server sends an update to all at once, and this client is the last that opened.
  docs[CLIENTS - 1].getText('text').observe((event) => {
    const now = performance.now();
    for (const part of event.changes.delta) {
      for (const match of String(part.insert ?? '').matchAll(/‹(\d+)›/g)) {
        const sent = sentAt.get(match[1]);
        if (sent !== undefined) delays.push(now - sent);
      }
    }
  });
  let number = 0;
  const timers = docs.slice(0, CLIENTS - 1).map((doc, index) =>
    setInterval(
      () => {
        const mark = String(number++);
        const place = (index * 40 + 7) % doc.getText('text').length;
        sentAt.set(mark, performance.now());
        doc.getText('text').insert(place, `‹${mark}›`);
      },
      1000 / PER_SECOND + index,
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  for (const timer of timers) clearInterval(timer);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const same = docs.every((doc) => doc.getText('text').toString() === docs[0].getText('text').toString());
  for (const client of clients) client.close();
  await aside.stop();
  if (!same) throw new Error('the documents differ after typing');
  if (delays.length < number * 0.9) throw new Error(`only ${delays.length} of ${number} keystrokes were seen whole`);
  return { p99: quantile(delays, 0.99), p50: quantile(delays, 0.5), strokes: delays.length };
}
