// One live document: Yjs over the connection. `provider.ts` opens them.
//
// A document has `doc` for as long as its epoch lasts. With another epoch the copy is dropped and `generation` goes up:
// whoever binds to `doc` binds anew.
import { createDecoder, readVarUint, readVarUint8Array } from 'lib0/decoding';
import { createEncoder, length, toUint8Array, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate, removeAwarenessStates } from 'y-protocols/awareness';
import {
  messageYjsSyncStep1,
  messageYjsSyncStep2,
  readSyncMessage,
  writeSyncStep1,
  writeUpdate,
} from 'y-protocols/sync';
import * as Y from 'yjs';
import { createStore } from 'zustand/vanilla';
import { useSession } from '../app/session';
import { learnKind } from '../files/kind';
import { connection, type DocumentListener, type OpenDocument } from '../wire/connection';
import type { DocumentName, DocumentState, EpochId, Failure, FileKind } from '../wire/gen/types';
import { Delivery } from './delivery';
import { claimChanges, dropChanges, type NumberedChange, openStore, windowId } from './offlineStore';
import { type Parts, partsOf, wholeText } from './parts';
import { DocumentUndo } from './undo';
import { setUnstored, setUnsynced } from './unsynced';

const SYNC = 0;
const AWARENESS = 1;
const QUERY_AWARENESS = 3;

/** How a document stands. */
export interface DocumentStatus {
  /** `opening` until its content is here; `refused` if it is not text. */
  phase: 'opening' | 'open' | 'refused';
  failure: Failure | null;
  /** How it stands with its file. */
  file: DocumentState | null;
  /** Local changes that the server has not got. */
  unsynced: number;
  generation: number;
  /** The text of a copy that had to be dropped with changes the server had not got. */
  lost: string | null;
  /** It is live as a notebook: `cells` and `metadata`, no text. */
  notebook: boolean;
}

/** Unsynced changes of a copy that had to be dropped. */
interface Carried {
  base: Parts | null;
  ours: Parts;
  /** All that was written in the copy. */
  text: string;
  /** Numbers in the store. */
  pieces: Promise<number[]>;
}

/** Bytes of a document whose texts are remembered as the server has them: longer ones would delay typing. */
const LONGEST_BASE = 200_000;

/** One document as this window has it. */
export class LiveDocument implements DocumentListener {
  readonly status = createStore<DocumentStatus>(() => ({
    phase: 'opening',
    failure: null,
    file: null,
    unsynced: 0,
    generation: 0,
    lost: null,
    notebook: false,
  }));
  doc = new Y.Doc();
  awareness = new Awareness(this.doc);
  undo = undoOf(this.doc);
  private epoch: EpochId | null = null;
  private delivery = this.newDelivery();
  /** The texts as the server was last known to have them. */
  private base: Parts | null = null;
  private carried: Carried | null = null;
  /** Numbers in the store of the changes that `lost` tells of. */
  private lostPieces: number[] = [];
  private readonly wire: OpenDocument;
  private readonly key: string;

  constructor(private readonly name: DocumentName) {
    this.key = keyOf(name);
    openStore();
    this.bind();
    this.wire = connection.openDocument(name, this);
  }

  /** The text of a file's document. */
  get text(): Y.Text {
    return this.doc.getText('text');
  }

  /** Nothing waits for the server, and nothing for the person. */
  get isSettled(): boolean {
    return this.delivery.count === 0 && this.carried === null && this.status.getState().lost === null;
  }

  /** Ends it; nothing of it may be used after. */
  destroy(): void {
    this.wire.close();
    this.unbind();
    void this.delivery.end();
    this.setUnsynced(0);
  }

  /** Stores what waits for the server: the page may go away. */
  storeNow(): void {
    this.delivery.storeNow();
  }

  /** Drops the text that could not be merged. */
  forgetLost(): void {
    this.status.setState({ lost: null });
    dropChanges(this.lostPieces.splice(0)).catch(() => {});
  }

  /** Merges what another window stored of this document before it was closed; tells whether anything came of it. */
  async restore(pieces: readonly NumberedChange[]): Promise<boolean> {
    const [first] = pieces;
    if (!first) return false;
    const update = Y.mergeUpdates(pieces.map((piece) => piece.update));
    const ids = pieces.map(({ id }) => id);
    const phase = await this.opened();
    if (phase === 'open' && first.epoch === this.epoch) {
      const before = this.delivery.count;
      Y.applyUpdate(this.doc, update, 'restored');
      this.delivery.adopt(ids);
      return this.delivery.count > before;
    }
    if (!(await claimChanges(first.window, ids))) return false;
    const copy = new Y.Doc();
    Y.applyUpdate(copy, update);
    const carried = { base: first.base, ours: partsOf(copy), text: wholeText(copy), pieces: Promise.resolve(ids) };
    copy.destroy();
    return this.carry(carried);
  }

  onOpened(epoch: EpochId, file: DocumentState, kind: FileKind | undefined, notebook: boolean): void {
    this.learn(kind);
    if (this.epoch !== null && this.epoch !== epoch) this.startOver();
    this.epoch = epoch;
    this.status.setState({ file, failure: null, notebook });
    this.sendSync((encoder) => writeSyncStep1(encoder, this.doc));
    this.sendAwareness([this.doc.clientID]);
  }

  onRefused(failure: Failure, kind?: FileKind): void {
    this.learn(kind);
    const carried = this.takeUnsynced();
    this.status.setState({ phase: 'refused', failure });
    if (carried) void this.lose(carried);
  }

  onState(file: DocumentState): void {
    this.status.setState({ file });
  }

  onEdited(action: string, undoes: string | null): void {
    this.undo.edited(action, undoes);
  }

  onLost(): void {
    this.delivery.lost();
    this.setUnsynced(this.delivery.count);
    const others = [...this.awareness.getStates().keys()].filter((client) => client !== this.doc.clientID);
    removeAwarenessStates(this.awareness, others, this);
  }

  onMessage(message: Uint8Array): void {
    const decoder = createDecoder(message);
    switch (readVarUint(decoder)) {
      case SYNC:
        return this.onSync(decoder);
      case AWARENESS:
        return applyAwarenessUpdate(this.awareness, readVarUint8Array(decoder), this);
      case QUERY_AWARENESS:
        return this.sendAwareness([...this.awareness.getStates().keys()]);
    }
  }

  private onSync(decoder: ReturnType<typeof createDecoder>): void {
    const encoder = createEncoder();
    writeVarUint(encoder, SYNC);
    const kind = readSyncMessage(decoder, encoder, this.doc, this);
    const answered = length(encoder) > 1 && this.wire.send(toUint8Array(encoder));
    // The answer to step 1 holds everything the server does not have.
    if (kind === messageYjsSyncStep1 && answered) this.delivery.sentAll();
    if (kind !== messageYjsSyncStep2) return;
    if (this.delivery.count === 0) this.rememberBase();
    this.status.setState({ phase: 'open', failure: null });
    const { carried } = this;
    this.carried = null;
    if (carried) void this.carry(carried);
  }

  private learn(kind: FileKind | undefined): void {
    if (kind && this.name.kind === 'file') learnKind(this.name.path, kind);
  }

  private bind(): void {
    this.doc.on('update', this.onUpdate);
    this.awareness.on('update', this.onAwareness);
  }

  private unbind(): void {
    this.undo.destroy();
    this.awareness.destroy();
    this.doc.destroy();
  }

  /** Drops the copy: the server's history shares nothing with it. Its unsynced changes are merged by their text. */
  private startOver(): void {
    const { generation } = this.status.getState();
    this.carried = this.takeUnsynced() ?? this.carried;
    const mine = this.awareness.getLocalState();
    this.unbind();
    this.doc = new Y.Doc();
    this.awareness = new Awareness(this.doc);
    this.awareness.setLocalState(mine);
    this.undo = undoOf(this.doc);
    this.bind();
    this.status.setState({ phase: 'opening', generation: generation + 1 });
  }

  /** Takes the unsynced changes off the copy, if there are any. */
  private takeUnsynced(): Carried | null {
    if (this.delivery.count === 0) return null;
    const pieces = this.delivery.end();
    const carried = { base: this.base, ours: partsOf(this.doc), text: wholeText(this.doc), pieces };
    this.delivery = this.newDelivery();
    this.setUnsynced(0);
    return carried;
  }

  /** Writes carried changes into this copy, or shows them as lost; tells whether anything came of it. */
  private async carry(carried: Carried): Promise<boolean> {
    const pieces = await carried.pieces;
    // Another window may have taken them over when it was back first.
    if (pieces.length > 0 && !(await claimChanges(windowId, pieces).catch(() => true))) return false;
    const { rebase } = await import('./rebase');
    if (this.status.getState().phase !== 'open' || !rebase(this.doc, carried.base, carried.ours)) {
      await this.lose(carried);
    } else {
      this.delivery.adopt(pieces);
    }
    return true;
  }

  private async lose({ text, pieces }: Carried): Promise<void> {
    this.lostPieces.push(...(await pieces));
    const before = this.status.getState().lost;
    this.status.setState({ lost: before === null ? text : `${before}\n\n${text}` });
  }

  /** Waits until the document is here, or can't be opened. */
  private opened(): Promise<DocumentStatus['phase']> {
    return new Promise((resolve) => {
      const check = () => {
        const { phase } = this.status.getState();
        if (phase === 'opening') return;
        stop();
        resolve(phase);
      };
      const stop = this.status.subscribe(check);
      check();
    });
  }

  private newDelivery(): Delivery {
    return new Delivery({
      confirm: (confirmed) => connection.confirm(confirmed),
      describe: () => this.describe(),
      state: () => Y.encodeStateAsUpdate(this.doc),
      onConfirmed: () => {
        this.rememberBase();
        this.setUnsynced(0);
      },
      onStored: setUnstored,
    });
  }

  /** The arrangement of a window is not worth merging. */
  private describe() {
    const { state } = useSession.getState();
    const { name, epoch, base } = this;
    if (name.kind !== 'file' || epoch === null || state.phase !== 'open') return null;
    return { folder: state.session.folder, path: name.path, epoch, base };
  }

  private rememberBase(): void {
    const isShort = this.name.kind === 'file' && this.text.length <= LONGEST_BASE;
    const parts = isShort ? partsOf(this.doc) : {};
    const length = Object.values(parts).reduce((sum, text) => sum + text.length, 0);
    this.base = isShort && length <= LONGEST_BASE ? parts : null;
  }

  private readonly onUpdate = (update: Uint8Array, origin: unknown): void => {
    if (origin === this) return;
    const sent = this.sendSync((encoder) => writeUpdate(encoder, update));
    this.delivery.add(update, sent);
    if (!sent) this.setUnsynced(this.delivery.count);
  };

  private readonly onAwareness = (
    changed: Record<'added' | 'updated' | 'removed', number[]>,
    origin: unknown,
  ): void => {
    if (origin !== this) this.sendAwareness([...changed.added, ...changed.updated, ...changed.removed]);
  };

  private setUnsynced(unsynced: number): void {
    if (this.name.kind !== 'file') return;
    this.status.setState({ unsynced });
    setUnsynced(this.key, unsynced);
  }

  private sendSync(write: (encoder: ReturnType<typeof createEncoder>) => void): boolean {
    const encoder = createEncoder();
    writeVarUint(encoder, SYNC);
    write(encoder);
    return this.wire.send(toUint8Array(encoder));
  }

  private sendAwareness(clients: number[]): void {
    if (this.awareness.getLocalState() === null && clients.length === 1) return;
    const encoder = createEncoder();
    writeVarUint(encoder, AWARENESS);
    writeVarUint8Array(encoder, encodeAwarenessUpdate(this.awareness, clients));
    this.wire.send(toUint8Array(encoder));
  }
}

/** Takes back what is typed into a text, or into the cells of a notebook and done to them. */
function undoOf(doc: Y.Doc): DocumentUndo {
  return new DocumentUndo([doc.getText('text'), doc.getMap('cells')]);
}

/** Names a document in this window. */
export function keyOf(name: DocumentName): string {
  return name.kind === 'file' ? `file:${name.path}` : name.kind;
}
