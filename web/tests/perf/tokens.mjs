// How much later a token reaches the browser's socket than it left the model's: an Ollama of our own and the
// client share one process and so one clock. The peer is a client that reads the model's socket directly.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Client, quantile, startAside } from './aside.mjs';

const TOKENS = 600;
const PAUSE_MS = 5;
const MODEL = 'clock';

function fakeOllama(sentAt) {
  const details = { capabilities: ['completion'], model_info: { 'x.context_length': 32768 } };
  return createServer(async (request, response) => {
    request.resume();
    if (request.url === '/api/tags') return response.end(JSON.stringify({ models: [{ name: MODEL, model: MODEL }] }));
    if (request.url === '/api/show') return response.end(JSON.stringify(details));
    if (request.url !== '/api/chat') return response.end(JSON.stringify({ version: '0.12.0' }));
    response.socket.setNoDelay(true);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    for (let token = 0; token < TOKENS; token++) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const message = { role: 'assistant', content: `t${token} ` };
      sentAt[token] = performance.now();
      response.write(`${JSON.stringify({ model: MODEL, message, done: false })}\n`);
    }
    const last = { model: MODEL, message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' };
    response.end(`${JSON.stringify({ ...last, prompt_eval_count: 10, eval_count: TOKENS })}\n`);
  });
}

function note(delays, sentAt, text) {
  const now = performance.now();
  for (const match of text.matchAll(/t(\d+) /g)) delays.push(now - sentAt[Number(match[1])]);
}

/** Delays of the same stream read from the model's socket, without Aside between. */
async function direct(url, sentAt) {
  const delays = [];
  const answer = await fetch(`${url}/api/chat`, { method: 'POST', body: '{}' });
  const decoder = new TextDecoder();
  for await (const chunk of answer.body) note(delays, sentAt, decoder.decode(chunk));
  return delays;
}

async function throughAside(url, sentAt) {
  const aside = await startAside({ OLLAMA_HOST: url });
  const client = new Client(aside);
  await client.ready;
  const { id: thread } = await aside.api('POST', 'threads', { model: `ollama/${MODEL}` });
  const delays = [];
  const ended = new Promise((resolve) => {
    client.onFrame = (frame) => {
      if (frame.type === 'thread_delta' && frame.delta.type === 'text') note(delays, sentAt, frame.delta.text);
      if (frame.type === 'thread_event' && frame.event.body.type === 'turn_ended') resolve();
    };
  });
  client.send({ type: 'subscribe', thread, after: 0 });
  await aside.api('POST', `threads/${thread}/turns`, { text: 'count' });
  await ended;
  client.close();
  await aside.stop();
  return delays;
}

/** Prints the p99 of both; the difference is what Aside adds. */
export async function tokens() {
  const sentAt = [];
  const server = fakeOllama(sentAt).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const without = await direct(url, sentAt);
  const through = await throughAside(url, sentAt);
  server.close();
  if (through.length < TOKENS) throw new Error(`only ${through.length} of ${TOKENS} tokens arrived`);
  return { p99: quantile(through, 0.99), peer: quantile(without, 0.99), p50: quantile(through, 0.5) };
}
