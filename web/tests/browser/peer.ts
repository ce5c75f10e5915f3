// One document on one connection, as any Yjs provider keeps it: the official yjs and y-protocols, no browser.
import { createDecoder, readVarUint, readVarUint8Array } from 'lib0/decoding';
import { createEncoder, type Encoder, length, toUint8Array, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness';
import { messageYjsSyncStep2, readSyncMessage, writeSyncStep1, writeUpdate } from 'y-protocols/sync';
import * as Y from 'yjs';
import type { ClientFrame, ServerFrame, Serving } from '../../src/wire/gen/types';

const SYNC = 0;
const AWARENESS = 1;

/** Somebody who has a document open. */
export class Editor {
  readonly frames: ServerFrame[] = [];
  readonly awareness: Awareness;
  private readonly socket: WebSocket;
  private number = 0;
  private gone = false;
  private synced = false;

  constructor(
    server: Serving,
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
      if (origin !== this && this.number > 0 && !this.gone) this.send(SYNC, (encoder) => writeUpdate(encoder, update));
    });
    this.awareness.on('update', ({ added, updated, removed }: Record<string, number[]>, origin: unknown) => {
      if (origin !== this) this.sendAwareness([...(added ?? []), ...(updated ?? []), ...(removed ?? [])]);
    });
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

  /** Ends the connection; what is done to the document from now on is done away from the others. */
  leave(): void {
    this.gone = true;
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
