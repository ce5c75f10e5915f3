// Starts the real binary on a workspace of its own, and talks to it as a program would.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import WebSocket from 'ws';
import * as sync from 'y-protocols/sync';
import * as Y from 'yjs';

/** Starts a server on a new folder; `env` goes on top of a clean environment. */
export async function startAside(env = {}, prepare = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'aside-perf-'));
  const home = mkdtempSync(join(tmpdir(), 'aside-home-'));
  prepare(folder);
  const environment = {
    PATH: process.env.PATH,
    HOME: home,
    ASIDE_DATA_DIR: join(home, 'data'),
    // Nothing answers there, unless the measurement brings a model.
    OLLAMA_HOST: '127.0.0.1:1',
    ...env,
  };
  if (existsSync(join(folder, '.aside'))) {
    // State that was put there from outside is not used before its person says that it is theirs.
    execFileSync(process.env.ASIDE_BIN, ['trust', folder], {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  const child = spawn(process.env.ASIDE_BIN, [folder, '--no-open', '--port', '0', '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const serving = JSON.parse(await firstLine(child));
  const api = async (method, path, body) => {
    const answer = await fetch(`${serving.url}api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${serving.token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
    // Kernels outlive their server. Each names a file in the home.
    spawnSync('pkill', ['-KILL', '-f', '--', home]);
    rmSync(folder, { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true });
  };
  return { ...serving, folder, api, stop };
}

/** The first line that a program prints. */
export function firstLine(child) {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}`)));
  });
}

/** One connection, with documents kept in sync by the official Yjs protocol code. */
export class Client {
  /** One that does not follow takes in a document once; what others change after that it reads and drops. */
  constructor(aside, follow = true) {
    this.follow = follow;
    const url = `${aside.url.replace('http', 'ws')}api/v1/connection`;
    this.socket = new WebSocket(url, { headers: { authorization: `Bearer ${aside.token}` } });
    this.socket.binaryType = 'arraybuffer';
    this.documents = new Map();
    this.waiting = new Map();
    this.onFrame = () => {};
    this.request = 0;
    this.ready = new Promise((resolve, reject) => {
      this.socket.once('open', resolve);
      this.socket.once('error', reject);
    });
    this.socket.on('message', (data, binary) => (binary ? this.#binary(data) : this.#text(JSON.parse(data))));
  }

  send(frame) {
    this.socket.send(JSON.stringify(frame));
  }

  /** Opens a text file; resolves to its Y.Doc when the first sync is through. */
  async open(path) {
    await this.ready;
    const request = ++this.request;
    const opened = new Promise((resolve, reject) => this.waiting.set(request, { resolve, reject }));
    this.send({ type: 'open_document', request, document: { kind: 'file', path }, epoch: null });
    return opened;
  }

  #text(frame) {
    if (frame.type === 'document_opened') {
      const doc = new Y.Doc();
      const waiting = this.waiting.get(frame.request);
      this.documents.set(frame.number, { doc, waiting });
      doc.on('update', (update, origin) => {
        if (origin === this) return;
        this.#send(frame.number, (encoder) => sync.writeUpdate(encoder, update), 0);
      });
      this.#send(frame.number, (encoder) => sync.writeSyncStep1(encoder, doc), 0);
    } else if (frame.type === 'document_refused') {
      this.waiting.get(frame.request)?.reject(new Error(frame.failure.message));
    }
    this.onFrame(frame);
  }

  #send(number, write, kind) {
    const encoder = encoding.createEncoder();
    encoding.writeVarUint(encoder, number);
    encoding.writeVarUint(encoder, kind);
    write(encoder);
    this.socket.send(encoding.toUint8Array(encoder));
  }

  #binary(data) {
    const decoder = decoding.createDecoder(new Uint8Array(data));
    const number = decoding.readVarUint(decoder);
    const kind = decoding.readVarUint(decoder);
    const document = this.documents.get(number);
    if (kind !== 0 || !document || (document.synced && !this.follow)) return;
    const answer = encoding.createEncoder();
    const step = sync.readSyncMessage(decoder, answer, document.doc, this);
    if (encoding.length(answer) > 0) {
      this.#send(number, (encoder) => encoding.writeUint8Array(encoder, encoding.toUint8Array(answer)), 0);
    }
    if (step !== sync.messageYjsSyncStep2) return;
    document.synced = true;
    document.waiting?.resolve(document.doc);
  }

  close() {
    this.socket.close();
  }
}

/** The value below which `share` of the sorted samples lie. */
export function quantile(samples, share) {
  const sorted = [...samples].sort((one, two) => one - two);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The middle of the values: what one busy moment of the machine can't move. */
export const median = (values) => quantile(values, 0.5);
