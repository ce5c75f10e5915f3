// The server's side of the sync protocol, checked with the official yjs and y-protocols. No browser is needed.
import { createDecoder, readVarUint, readVarUint8Array } from 'lib0/decoding';
import { createEncoder, type Encoder, length, toUint8Array, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness';
import { messageYjsSyncStep2, readSyncMessage, writeSyncStep1, writeUpdate } from 'y-protocols/sync';
import * as Y from 'yjs';
import type { ClientFrame, ServerFrame, Submitted } from '../../src/wire/gen/types';
import { type Server, serve, Workspace } from './support';

const SYNC = 0;
const AWARENESS = 1;

let workspace: Workspace;
let server: Server;
let open: Editor[];

beforeEach(async () => {
  workspace = new Workspace({ 'a.txt': 'one\ntwo\n', 'big.txt': 'line of text\n'.repeat(50_000) });
  server = await serve(workspace);
  open = [];
});

afterEach(async () => {
  for (const editor of open) editor.leave();
  await server.kill();
  workspace.remove();
});

/** One document on one connection, as any Yjs provider keeps it. */
class Editor {
  readonly frames: ServerFrame[] = [];
  readonly awareness: Awareness;
  private readonly socket: WebSocket;
  private number = 0;
  private synced = false;

  constructor(
    path: string,
    readonly doc = new Y.Doc(),
  ) {
    this.awareness = new Awareness(doc);
    const url = `${server.url.replace('http', 'ws')}api/v1/connection`;
    this.socket = new WebSocket(url, { headers: { authorization: `Bearer ${server.token}` } });
    this.socket.binaryType = 'arraybuffer';
    this.socket.on('open', () =>
      this.say({ type: 'open_document', request: 1, document: { kind: 'file', path }, epoch: null }),
    );
    this.socket.on('message', (data, binary) => {
      if (binary) this.hearMessage(new Uint8Array(data as ArrayBuffer));
      else this.hearFrame(JSON.parse(Buffer.from(data as ArrayBuffer).toString()) as ServerFrame);
    });
    doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== this && this.number > 0) this.send(SYNC, (encoder) => writeUpdate(encoder, update));
    });
    this.awareness.on('update', ({ added, updated, removed }: Record<string, number[]>, origin: unknown) => {
      if (origin !== this) this.sendAwareness([...(added ?? []), ...(updated ?? []), ...(removed ?? [])]);
    });
    open.push(this);
  }

  get text(): Y.Text {
    return this.doc.getText('text');
  }

  async ready(): Promise<this> {
    await expect.poll(() => this.synced).toBe(true);
    return this;
  }

  holds(text: string): Promise<void> {
    return expect.poll(() => this.text.toString(), { timeout: 5000 }).toBe(text);
  }

  leave(): void {
    this.awareness.destroy();
    this.socket.terminate();
  }

  private say(frame: ClientFrame): void {
    this.socket.send(JSON.stringify(frame));
  }

  private hearFrame(frame: ServerFrame): void {
    this.frames.push(frame);
    if (frame.type !== 'document_opened') return;
    this.number = frame.number;
    this.send(SYNC, (encoder) => writeSyncStep1(encoder, this.doc));
    this.sendAwareness([this.doc.clientID]);
  }

  private hearMessage(message: Uint8Array): void {
    const decoder = createDecoder(message);
    expect(readVarUint(decoder)).toBe(this.number);
    const kind = readVarUint(decoder);
    if (kind === AWARENESS) return applyAwarenessUpdate(this.awareness, readVarUint8Array(decoder), this);
    expect(kind).toBe(SYNC);
    const answer = createEncoder();
    if (readSyncMessage(decoder, answer, this.doc, this) === messageYjsSyncStep2) this.synced = true;
    expect(decoder.pos, 'one message a frame').toBe(message.length);
    if (length(answer) > 0) this.sendRaw(SYNC, toUint8Array(answer));
  }

  private sendAwareness(clients: number[]): void {
    if (this.number === 0) return;
    this.send(AWARENESS, (encoder) => writeVarUint8Array(encoder, encodeAwarenessUpdate(this.awareness, clients)));
  }

  private send(kind: number, write: (encoder: Encoder) => void): void {
    const encoder = createEncoder();
    write(encoder);
    this.sendRaw(kind, toUint8Array(encoder));
  }

  private sendRaw(kind: number, body: Uint8Array): void {
    const head = createEncoder();
    writeVarUint(head, this.number);
    writeVarUint(head, kind);
    this.socket.send(Buffer.concat([toUint8Array(head), body]));
  }
}

async function act(action_type: string, args: unknown): Promise<Submitted> {
  const answer = await fetch(`${server.url}api/v1/actions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action_type, args }),
  });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Submitted;
}

test('two editors that type at once hold the same text, and so does the file', async () => {
  const ada = await new Editor('a.txt').ready();
  const bob = await new Editor('a.txt').ready();
  expect(ada.text.toString()).toBe('one\ntwo\n');
  for (let key = 0; key < 50; key++) {
    ada.text.insert(key, 'a');
    bob.text.insert(bob.text.length, 'b');
  }
  const whole = `${'a'.repeat(50)}one\ntwo\n${'b'.repeat(50)}`;
  await ada.holds(whole);
  await bob.holds(whole);
  await expect.poll(() => workspace.read('a.txt'), { timeout: 10_000 }).toBe(whole);
});

test('characters beyond the first plane keep their places', async () => {
  const ada = await new Editor('a.txt').ready();
  const bob = await new Editor('a.txt').ready();
  ada.text.insert(0, 'a😀b\n');
  await bob.holds('a😀b\none\ntwo\n');
  bob.text.insert(3, 'é');
  await ada.holds('a😀éb\none\ntwo\n');
});

test('what was typed while away is merged', async () => {
  const ada = await new Editor('a.txt').ready();
  const bob = await new Editor('a.txt').ready();
  ada.leave();
  ada.text.insert(0, 'away\n');
  bob.text.insert(bob.text.length, 'here\n');
  const back = await new Editor('a.txt', ada.doc).ready();
  await bob.holds('away\none\ntwo\nhere\n');
  await back.holds('away\none\ntwo\nhere\n');
});

test('cursors are seen by those who came before and after, and go with their owner', async () => {
  const ada = await new Editor('a.txt').ready();
  ada.awareness.setLocalState({ user: { name: 'Ada' } });
  const bob = await new Editor('a.txt').ready();
  const seen = (editor: Editor) => [...editor.awareness.getStates().values()].map((state) => state.user?.name);
  await expect.poll(() => seen(bob)).toContain('Ada');
  bob.awareness.setLocalState({ user: { name: 'Bob' } });
  await expect.poll(() => seen(ada)).toContain('Bob');
  ada.leave();
  await expect.poll(() => seen(bob)).not.toContain('Ada');
});

test('an action changes the open document, and says so right after', async () => {
  const ada = await new Editor('a.txt').ready();
  ada.text.insert(0, 'typed\n');
  const edit = { path: 'a.txt', edits: [{ old: 'two\n', new: 'three\n' }] };
  const done = await act('doc.edit', edit);
  expect(done.state).toBe('done');
  await ada.holds('typed\none\nthree\n');
  await expect
    .poll(() => ada.frames.some((frame) => frame.type === 'document_edited' && frame.action === done.id))
    .toBe(true);
});

test('a large document opens whole', async () => {
  const ada = await new Editor('big.txt').ready();
  expect(ada.text.length).toBe(13 * 50_000);
});
