// The socket of one terminal in one tab: connects, says what comes, and connects again where it was.
import { basePath } from '../app/base';
import { useConnection } from '../wire/connection';
import type { TerminalServerFrame, TerminalSize } from '../wire/gen/types';
import { backoff } from '../wire/resume';
import { frameOf, type Output, outputOf, typedFrames } from './frames';

/** How a socket stands. `ended`: there is no such terminal any more. */
export type SocketStatus = 'connecting' | 'open' | 'lost' | 'ended';

/** Callbacks of the holder of a socket. */
export interface SocketListener {
  onFrame(frame: TerminalServerFrame): void;
  onOutput(output: Output): void;
  onStatus(status: SocketStatus): void;
  /** The byte to go on from, and the size of the pane. */
  where(): { from: number | null; size: TerminalSize };
}

/** Close codes after which nobody is there to connect to. */
const ENDED = 4404;

/** One terminal's socket. */
export class TerminalSocket {
  private status: SocketStatus = 'connecting';
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failed = 0;
  private closed = false;
  private readonly stop: () => void;

  constructor(
    private readonly terminal: string,
    private readonly listener: SocketListener,
  ) {
    this.connect();
    // The main connection tries in its own time, and hears of a network that is back.
    this.stop = useConnection.subscribe(({ status }) => status === 'online' && this.retryNow());
  }

  /** Sends what was typed; false if it could not go out. */
  type(bytes: Uint8Array<ArrayBuffer>): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    for (const frame of typedFrames(bytes)) this.socket.send(frame);
    return true;
  }

  /** Says how far output was read. */
  acknowledge(seq: number): void {
    this.say({ type: 'ack', seq });
  }

  /** Says how large the pane is. */
  resize(size: TerminalSize): void {
    this.say({ type: 'resize', ...size });
  }

  close(): void {
    this.closed = true;
    this.stop();
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private say(frame: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  private connect(): void {
    const { from, size } = this.listener.where();
    const url = new URL(`${basePath}api/v1/terminals/${encodeURIComponent(this.terminal)}/socket`, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    if (from !== null) url.searchParams.set('from', String(from));
    for (const [name, value] of Object.entries(size)) url.searchParams.set(name, String(value));
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => this.receive(data);
    socket.onclose = ({ code }) => this.lost(socket, code);
    this.socket = socket;
  }

  private receive(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      const output = outputOf(data);
      if (output) this.listener.onOutput(output);
      return;
    }
    const frame = frameOf(String(data));
    if (!frame) return;
    if (frame.type === 'start') {
      this.failed = 0;
      this.become('open');
    }
    if (frame.type === 'gone') this.become('ended');
    this.listener.onFrame(frame);
  }

  private lost(socket: WebSocket, code: number): void {
    if (this.closed || socket !== this.socket) return;
    this.socket = null;
    if (code === ENDED || this.status === 'ended') return this.become('ended');
    this.become('lost');
    this.timer = setTimeout(() => this.connect(), backoff(this.failed++, Math.random()));
  }

  private become(status: SocketStatus): void {
    this.status = status;
    this.listener.onStatus(status);
  }

  private retryNow(): void {
    if (this.closed || this.socket || this.status !== 'lost') return;
    clearTimeout(this.timer);
    this.connect();
  }
}
