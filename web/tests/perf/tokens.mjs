// How much later a token is at the browser's socket than at a socket that is connected to the model itself: an Ollama
// of our own and all readers share one process and so one clock. The third reader has a bare pipe of another process in
// between: what any program there costs on this machine. The three take turns token by token, so that they have the same
// machine and don't wait for each other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { Client, firstLine, median, quantile, startAside } from './aside.mjs';

const ROUNDS = 9;
const TOKENS = 400;
const PAUSE_MS = 3;
/** A round takes some seconds. */
const PATIENCE_MS = 60_000;
const MODEL = 'clock';
const PIPE = `
  const { connect, createServer } = require('node:net');
  const server = createServer({ noDelay: true }, (from) => {
    const to = connect({ port: Number(process.argv[1]), host: '127.0.0.1', noDelay: true });
    from.pipe(to).pipe(from);
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** A model that speaks to all who asked at once, when the last has asked. */
class Model {
  /** When each token was sent that has not been heard. */
  sentAt = new Map();
  sent = 0;
  #readers = [];
  #server = createServer((request, response) => this.#answer(request, response));

  constructor(readers) {
    this.readers = readers;
  }

  /** How many have asked and wait for the others. */
  get waiting() {
    return this.#readers.length;
  }

  async listen() {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    this.port = this.#server.address().port;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(request, response) {
    request.resume();
    const details = { capabilities: ['completion'], model_info: { 'x.context_length': 32768 } };
    if (request.url === '/api/tags') return response.end(JSON.stringify({ models: [{ name: MODEL, model: MODEL }] }));
    if (request.url === '/api/show') return response.end(JSON.stringify(details));
    if (request.url !== '/api/chat') return response.end(JSON.stringify({ version: '0.12.0' }));
    response.socket.setNoDelay(true);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.flushHeaders();
    if (this.#readers.push(response) === this.readers) return this.#speak(this.#readers.splice(0));
  }

  async #speak(readers) {
    for (let token = 0; token < TOKENS; token++) {
      for (const [reader, response] of readers.entries()) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        const message = { role: 'assistant', content: `t${reader}.${token} ` };
        this.sent++;
        this.sentAt.set(`${reader}.${token}`, performance.now());
        response.write(`${JSON.stringify({ model: MODEL, message, done: false })}\n`);
      }
    }
    const last = { model: MODEL, message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' };
    for (const reader of readers) reader.end(`${JSON.stringify({ ...last, prompt_eval_count: 10, eval_count: 9 })}\n`);
  }

  /** Notes the tokens that are heard for the first time: Aside says the whole answer once more when it has ended. */
  note(delays, text) {
    const now = performance.now();
    for (const [, token] of text.matchAll(/t(\d+\.\d+) /g)) {
      if (this.sentAt.has(token)) delays.push(now - this.sentAt.get(token));
      this.sentAt.delete(token);
    }
  }
}

/** What a round gives, or an error that says how far it came: one reader that never asks keeps the others waiting. */
async function inTime(model, round) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      const gone = model.sent === 0 ? 'nothing was sent' : `${model.sent} tokens were sent in all rounds`;
      reject(new Error(`a round took longer than ${PATIENCE_MS} ms: ${model.waiting} readers wait, ${gone}`));
    }, PATIENCE_MS);
  });
  return Promise.race([round, late]).finally(() => clearTimeout(timer));
}

/** Reads a stream from a port, by hand: an HTTP client has a share of its own. */
async function read(model, port) {
  const delays = [];
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.write('POST /api/chat HTTP/1.1\r\nhost: model\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}');
  socket.on('data', (data) => model.note(delays, data.toString()));
  await once(socket, 'close');
  return delays;
}

async function throughAside(model, aside) {
  const client = new Client(aside);
  const delays = [];
  // At the socket, as with the other readers: a library that unpacks the frames has a share of its own.
  client.socket.once('upgrade', ({ socket }) => socket.on('data', (data) => model.note(delays, data.toString())));
  await client.ready;
  const { id: thread } = await aside.api('POST', 'threads', { model: `ollama/${MODEL}` });
  const ended = new Promise((resolve) => {
    client.onFrame = (frame) => {
      if (frame.type === 'thread_event' && frame.event.body.type === 'turn_ended') resolve();
    };
  });
  client.send({ type: 'subscribe', thread, after: 0 });
  await aside.api('POST', `threads/${thread}/turns`, { text: 'count' });
  await ended;
  client.close();
  return delays;
}

/** One round: the p99 and p50 of each reader. */
async function measure(model, pipePort, aside) {
  const readers = [read(model, model.port), read(model, pipePort), throughAside(model, aside)];
  const delays = await inTime(model, Promise.all(readers));
  if (delays.some((list) => list.length < TOKENS)) throw new Error(`not all of ${TOKENS} tokens arrived`);
  const [direct, piped, ours] = delays.map((list) => quantile(list, 0.99));
  return { direct, piped, ours, p50: median(delays[2]), p50direct: median(delays[0]) };
}

/** Returns the medians over rounds of each reader's p99 and of what Aside adds to the reader without anything between. */
export async function tokens() {
  const model = new Model(3);
  await model.listen();
  const aside = await startAside({ OLLAMA_HOST: `http://127.0.0.1:${model.port}` });
  const pipe = spawn(process.execPath, ['-e', PIPE, String(model.port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const rounds = [];
  try {
    const pipePort = Number(await firstLine(pipe));
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(model, pipePort, aside));
  } finally {
    pipe.kill();
    await aside.stop();
    model.close();
  }
  const of = (figure) => median(rounds.map(figure));
  return {
    added: of((round) => round.ours - round.direct),
    addedByPipe: of((round) => round.piped - round.direct),
    p50: of((round) => round.p50 - round.p50direct),
  };
}
