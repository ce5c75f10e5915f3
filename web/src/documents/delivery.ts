// The changes of one document that the server has not confirmed. They are sent as they come; those that it does not
// confirm soon, or that can't be sent, are stored in the browser until it does.
import { mergeUpdates } from 'yjs';
import { dropChanges, type StoredChange, storeChange, windowId } from './offlineStore';

/** Milliseconds between two questions whether the server has everything: one for all keys of a word. */
const CONFIRM_AFTER = 300;

/** Milliseconds without an answer after which changes are stored. */
const STORE_AFTER = 800;

/** Stored pieces of a document after which they are written anew as one. */
const MOST_PIECES = 200;

/** The surroundings of a document's delivery. */
export interface DeliveryContext {
  /** Calls back once the server has taken in all that was sent before; never if the connection breaks first. */
  confirm(confirmed: () => void): void;
  /** Which document it is, for the store; null where nothing of it is stored. */
  describe(): Omit<StoredChange, 'window' | 'at' | 'update'> | null;
  /** The whole state of the document. */
  state(): Uint8Array;
  /** The server has everything. */
  onConfirmed(): void;
  /** Changes were stored, or an error says why they can't be. */
  onStored(error: unknown): void;
}

/** The way of one document's changes to the server. */
export class Delivery {
  /** Changes in order, none of them confirmed. */
  private waiting: Uint8Array[] = [];
  private asking = false;
  private confirmTimer: ReturnType<typeof setTimeout> | undefined;
  private storeTimer: ReturnType<typeof setTimeout> | undefined;
  /** The connection is down: each change is stored at once. */
  private offline = false;
  private storing: Promise<void> = Promise.resolve();
  /** Numbers in the store: of this document's own pieces. */
  private pieces: number[] = [];
  /** Numbers in the store of pieces that other windows left and that are in this document now. */
  private adopted: number[] = [];
  /** How many of `waiting` are stored. */
  private stored = 0;
  private isEnded = false;

  constructor(private readonly context: DeliveryContext) {}

  /** How many changes the server has not confirmed. */
  get count(): number {
    return this.waiting.length;
  }

  /** The document has changed here. */
  add(update: Uint8Array, sent: boolean): void {
    this.waiting.push(update);
    this.offline = !sent;
    if (sent) this.askSoon();
    else this.storeNow();
  }

  /** All changes have been sent, again after a reconnect. */
  sentAll(): void {
    this.offline = false;
    this.ask();
  }

  /** The connection broke. */
  lost(): void {
    this.offline = true;
    this.asking = false;
    clearTimeout(this.confirmTimer);
    this.storeNow();
  }

  /** The document has what stored pieces of a closed window or of an earlier copy say: they are dropped with the next confirmation. */
  adopt(pieces: readonly number[]): void {
    this.adopted.push(...pieces);
    this.ask();
  }

  /** Stores whatever waits: the page may go away. */
  storeNow(): void {
    clearTimeout(this.storeTimer);
    this.storeTimer = undefined;
    if (this.waiting.length === this.stored) return;
    this.storing = this.storing.then(() => this.store());
  }

  /** Ends it; returns the numbers of what is stored of its changes. */
  async end(): Promise<number[]> {
    clearTimeout(this.confirmTimer);
    clearTimeout(this.storeTimer);
    this.offline = true;
    // The document may be another one from now on.
    this.isEnded = true;
    await this.storing;
    return [...this.pieces, ...this.adopted];
  }

  private askSoon(): void {
    this.storeTimer ??= setTimeout(() => this.storeNow(), STORE_AFTER);
    if (this.asking) return;
    clearTimeout(this.confirmTimer);
    this.confirmTimer = setTimeout(() => this.ask(), CONFIRM_AFTER);
  }

  private ask(): void {
    clearTimeout(this.confirmTimer);
    const [count, adopted] = [this.waiting.length, this.adopted.length];
    if (this.offline || this.asking || count + adopted === 0) return;
    this.asking = true;
    this.context.confirm(() => {
      this.asking = false;
      this.confirmed(count, adopted);
    });
  }

  private confirmed(count: number, adopted: number): void {
    this.waiting.splice(0, count);
    this.stored = Math.max(0, this.stored - count);
    drop(this.adopted.splice(0, adopted));
    if (this.waiting.length + this.adopted.length > 0) this.askSoon();
    if (this.waiting.length > 0) return;
    clearTimeout(this.storeTimer);
    this.storeTimer = undefined;
    this.context.onConfirmed();
    this.storing = this.storing.then(() => {
      // A change that came meanwhile may build on the stored ones.
      if (this.waiting.length === 0) drop(this.pieces.splice(0));
    });
  }

  private async store(): Promise<void> {
    const updates = this.waiting.slice(this.stored);
    const described = this.context.describe();
    if (this.isEnded || updates.length === 0 || !described) return;
    this.stored = this.waiting.length;
    // The first piece is the whole state, which can be read without the server.
    const whole = this.pieces.length === 0 || this.pieces.length > MOST_PIECES;
    const update = whole ? this.context.state() : mergeUpdates(updates);
    const change = { ...described, update, window: windowId, at: Date.now() };
    try {
      if (whole) this.pieces = [await storeChange(change, this.pieces)];
      else this.pieces.push(await storeChange({ ...change, base: null }));
      this.context.onStored(null);
    } catch (error) {
      // The next attempt stores the whole state.
      this.stored = 0;
      this.pieces = [];
      this.context.onStored(error);
    }
  }
}

/** Pieces that stay because this fails are merged again at the next start, and change nothing then. */
function drop(ids: readonly number[]): void {
  dropChanges(ids).catch(() => {});
}
