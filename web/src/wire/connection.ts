// The one WebSocket: frames out and in, reconnect with backoff, resumption of threads and documents.
//
// For features (threads, palette, …):
//
//   useConnection((state) => state.status)            'connecting' | 'online' | 'offline', re-renders on change
//   connection.on('needs_you', (frame) => …)          every server frame of that type; returns the unsubscriber
//   connection.subscribeThread(id, {                  the log of a thread from `after` (default 0), then live;
//     onEvent, onDelta, onCaughtUp }, after)          each entry exactly once and in order, also across reconnects;
//                                                     several subscribers of a thread are fine: each gets its own backlog
//   connection.send({ type: … })                      true if it went out; nothing is queued
//   connection.confirm(() => …)                       once the server has taken in all that was sent before
//
// Requests with an answer are REST: see requests.ts. Documents: documents/provider.ts.
import { createDecoder, readTailAsUint8Array, readVarUint } from 'lib0/decoding';
import { createEncoder, toUint8Array, writeUint8Array, writeVarUint } from 'lib0/encoding';
import { create } from 'zustand';
import { basePath } from '../app/base';
import type {
  ClientFrame,
  DocumentName,
  DocumentState,
  EpochId,
  Failure,
  FileKind,
  LiveDelta,
  ServerFrame,
  ThreadEvent,
  ThreadId,
} from './gen/types';
import { backoff, isNext, resumeFrames, type WantedDocument } from './resume';
import { windowId } from './windowId';

/** How the connection stands. `offline` means that at least one attempt has failed. */
export type ConnectionStatus = 'connecting' | 'online' | 'offline';

/** For components: re-renders when the connection comes or goes. */
export const useConnection = create<{
  status: ConnectionStatus;
  /** Attempts that failed since it was last online. */
  failed: number;
  server: string | null;
  version: string | null;
  /** The threads with a turn that is not over, as the server said it last. */
  running: ReadonlySet<ThreadId>;
}>(() => ({ status: 'connecting', failed: 0, server: null, version: null, running: new Set() }));

/** What a subscriber of a thread hears. */
export interface ThreadListener {
  onEvent(event: ThreadEvent): void;
  onDelta?(delta: LiveDelta): void;
  /** The backlog is through; said again after each reconnect. */
  onCaughtUp?(seq: number): void;
  /** It can't be listened to. */
  onRefused?(failure: Failure): void;
}

/** What the holder of an open document hears. */
export interface DocumentListener {
  onOpened(epoch: EpochId, state: DocumentState, kind: FileKind | undefined, notebook: boolean): void;
  onRefused(failure: Failure, kind?: FileKind): void;
  onState(state: DocumentState): void;
  onEdited(action: string, undoes: string | null): void;
  /** One message of the y-protocols. */
  onMessage(message: Uint8Array): void;
  /** The connection broke; `onOpened` follows when it is back. */
  onLost(): void;
}

/** A document held open across reconnects. */
export interface OpenDocument {
  /** Sends one message of the y-protocols; false when it could not go out. */
  send(message: Uint8Array): boolean;
  close(): void;
}

interface HeldDocument extends WantedDocument {
  listener: DocumentListener;
  number: number | null;
}

/** The last `seq` each subscriber of a thread has. */
type HeldThread = Map<ThreadListener, number>;

type FrameOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>;
type Handler = (frame: ServerFrame) => void;

class Connection {
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextRequest = 1;
  private readonly handlers = new Map<string, Set<Handler>>();
  private readonly threads = new Map<ThreadId, HeldThread>();
  private readonly documents = new Map<number, HeldDocument>();
  /** Called in order by the server's pongs. */
  private readonly pings = new Map<number, () => void>();

  /** Connects, and stays connected until the page goes. */
  start(): void {
    if (this.socket) return;
    window.addEventListener('focus', () => this.send({ type: 'focused' }));
    window.addEventListener('online', () => this.retryNow());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.retryNow();
    });
    this.connect();
  }

  /** Tries again at once instead of waiting for the backoff. */
  retryNow(): void {
    if (this.socket || useConnection.getState().status === 'online') return;
    clearTimeout(this.timer);
    this.connect();
  }

  /** Calls `handler` for every server frame of one type. */
  on<T extends ServerFrame['type']>(type: T, handler: (frame: FrameOf<T>) => void): () => void {
    const handlers = this.handlers.get(type) ?? new Set();
    this.handlers.set(type, handlers);
    handlers.add(handler as Handler);
    return () => handlers.delete(handler as Handler);
  }

  /** Sends one frame if the connection is up. */
  send(frame: ClientFrame): boolean {
    if (useConnection.getState().status !== 'online' || !this.socket) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Calls back once the server has taken in all that was sent before; never if the connection breaks first. */
  confirm(confirmed: () => void): void {
    const ping = this.nextRequest++;
    if (this.send({ type: 'ping', ping })) this.pings.set(ping, confirmed);
  }

  /** Hears the log of a thread after entry `after`, each entry once, and what is live. */
  subscribeThread(thread: ThreadId, listener: ThreadListener, after = 0): () => void {
    const held = this.threads.get(thread) ?? new Map();
    held.set(listener, after);
    this.threads.set(thread, held);
    // A late subscriber needs entries the others have: the log comes again, and `deliver` sorts it out.
    this.send({ type: 'subscribe', thread, after: lastOfAll(held) });
    return () => this.unsubscribeThread(thread, listener);
  }

  /** Opens a document and keeps it open. */
  openDocument(document: DocumentName, listener: DocumentListener): OpenDocument {
    const request = this.nextRequest++;
    const held: HeldDocument = { document, listener, epoch: null, number: null };
    this.documents.set(request, held);
    this.send({ type: 'open_document', request, document, epoch: null });
    return {
      send: (message) => this.sendMessage(held, message),
      close: () => {
        this.documents.delete(request);
        if (held.number !== null) this.send({ type: 'close_document', number: held.number });
      },
    };
  }

  private unsubscribeThread(thread: ThreadId, listener: ThreadListener): void {
    const held = this.threads.get(thread);
    if (!held?.delete(listener) || held.size > 0) return;
    this.threads.delete(thread);
    this.send({ type: 'unsubscribe', thread });
  }

  private sendMessage(held: HeldDocument, message: Uint8Array): boolean {
    if (held.number === null || useConnection.getState().status !== 'online' || !this.socket) return false;
    const encoder = createEncoder();
    writeVarUint(encoder, held.number);
    writeUint8Array(encoder, message);
    this.socket.send(toUint8Array(encoder) as Uint8Array<ArrayBuffer>);
    return true;
  }

  private connect(): void {
    const url = new URL(`${basePath}api/v1/connection`, location.href);
    url.searchParams.set('window', windowId());
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => this.receive(data);
    socket.onclose = () => this.lost();
    this.socket = socket;
  }

  private lost(): void {
    this.socket = null;
    this.pings.clear();
    for (const held of this.documents.values()) {
      if (held.number === null) continue;
      held.number = null;
      held.listener.onLost();
    }
    const { status, failed } = useConnection.getState();
    useConnection.setState({ status: 'offline', failed: status === 'online' ? 0 : failed + 1 });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), backoff(failed, Math.random()));
  }

  private receive(data: unknown): void {
    if (data instanceof ArrayBuffer) return this.receiveMessage(new Uint8Array(data));
    const frame = parseFrame(data);
    if (!frame) return;
    this.apply(frame);
    for (const handler of this.handlers.get(frame.type) ?? []) handler(frame);
  }

  private receiveMessage(bytes: Uint8Array): void {
    const decoder = createDecoder(bytes);
    const number = readVarUint(decoder);
    this.byNumber(number)?.listener.onMessage(readTailAsUint8Array(decoder));
  }

  private apply(frame: ServerFrame): void {
    switch (frame.type) {
      case 'hello':
        return this.greeted(frame);
      case 'pong':
        return this.ponged(frame);
      case 'document_opened':
        return this.opened(frame);
      case 'document_refused':
        return this.documents.get(frame.request)?.listener.onRefused(frame.failure, frame.kind);
      case 'document_state':
        return this.byNumber(frame.number)?.listener.onState(frame.state);
      case 'document_edited':
        return this.byNumber(frame.number)?.listener.onEdited(frame.action, frame.undoes);
      case 'thread_event':
        return this.deliver(frame.thread, frame.event);
      case 'thread_delta':
        for (const listener of this.listeners(frame.thread)) listener.onDelta?.(frame.delta);
        return;
      case 'thread_caught_up':
        for (const listener of this.listeners(frame.thread)) listener.onCaughtUp?.(frame.seq);
        return;
      case 'thread_refused':
        for (const listener of this.listeners(frame.thread)) listener.onRefused?.(frame.failure);
        return;
      case 'running_threads':
        return useConnection.setState({ running: new Set(frame.threads) });
      case 'problem':
        console.warn('the server did not understand:', frame.failure.message);
    }
  }

  private greeted(frame: FrameOf<'hello'>): void {
    useConnection.setState({ status: 'online', failed: 0, server: frame.server, version: frame.version });
    const threads = new Map([...this.threads].map(([thread, held]) => [thread, lastOfAll(held)]));
    for (const next of resumeFrames({ threads, documents: this.documents }, document.hasFocus())) this.send(next);
  }

  private ponged({ ping }: FrameOf<'pong'>): void {
    const confirmed = this.pings.get(ping);
    this.pings.delete(ping);
    confirmed?.();
  }

  private opened(frame: FrameOf<'document_opened'>): void {
    const held = this.documents.get(frame.request);
    if (!held) {
      // Closed before the answer came.
      this.send({ type: 'close_document', number: frame.number });
      return;
    }
    held.number = frame.number;
    held.epoch = frame.epoch;
    held.listener.onOpened(frame.epoch, frame.state, frame.kind, frame.notebook);
  }

  private deliver(thread: ThreadId, event: ThreadEvent): void {
    const held = this.threads.get(thread);
    if (!held) return;
    for (const [listener, last] of [...held]) {
      if (!isNext(last, event.seq)) continue;
      held.set(listener, event.seq);
      listener.onEvent(event);
    }
  }

  private listeners(thread: ThreadId): ThreadListener[] {
    return [...(this.threads.get(thread)?.keys() ?? [])];
  }

  private byNumber(number: number): HeldDocument | undefined {
    for (const held of this.documents.values()) if (held.number === number) return held;
    return undefined;
  }
}

/** The entry that all subscribers have. */
function lastOfAll(held: HeldThread): number {
  return Math.min(...held.values());
}

/** Takes a text frame for what the protocol says, if it at least looks like one. */
function parseFrame(data: unknown): ServerFrame | null {
  if (typeof data !== 'string') return null;
  try {
    const value: unknown = JSON.parse(data);
    const isFrame = typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
    return isFrame ? (value as ServerFrame) : null;
  } catch {
    return null;
  }
}

/** The connection of this window. */
export const connection = new Connection();
