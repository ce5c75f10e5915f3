// Live documents: Yjs over the connection, one copy a window however many panes show it.
//
//   const live = openDocument({ kind: 'file', path });   … live.close();
//   live.status (a store): phase, how it stands with its file; live.doc, live.text, live.awareness, live.undo
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
import { learnKind } from '../files/kind';
import { connection, type DocumentListener, type OpenDocument } from '../wire/connection';
import type { DocumentName, DocumentState, EpochId, Failure, FileKind } from '../wire/gen/types';
import { DocumentUndo } from './undo';
import { setUnsynced } from './unsynced';

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
  private readonly wire: OpenDocument;
  private readonly key: string;

  constructor(private readonly name: DocumentName) {
    this.key = keyOf(name);
    this.bind();
    this.wire = connection.openDocument(name, this);
  }

  /** The text of a file's document. */
  get text(): Y.Text {
    return this.doc.getText('text');
  }

  /** Ends it; nothing of it may be used after. */
  destroy(): void {
    this.wire.close();
    this.unbind();
    setUnsynced(this.key, 0);
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
    this.status.setState({ phase: 'refused', failure });
  }

  onState(file: DocumentState): void {
    this.status.setState({ file });
  }

  onEdited(action: string, undoes: string | null): void {
    this.undo.edited(action, undoes);
  }

  onLost(): void {
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
    if (kind === messageYjsSyncStep1 && answered) this.countUnsynced(0);
    if (kind === messageYjsSyncStep2) this.status.setState({ phase: 'open', failure: null });
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

  /** Drops the copy: the server's history shares nothing with it. */
  private startOver(): void {
    const { unsynced, generation } = this.status.getState();
    const lost = unsynced > 0 ? textsIn(this.doc) : this.status.getState().lost;
    const mine = this.awareness.getLocalState();
    this.unbind();
    this.doc = new Y.Doc();
    this.awareness = new Awareness(this.doc);
    this.awareness.setLocalState(mine);
    this.undo = undoOf(this.doc);
    this.bind();
    this.countUnsynced(0);
    this.status.setState({ phase: 'opening', generation: generation + 1, lost });
  }

  private readonly onUpdate = (update: Uint8Array, origin: unknown): void => {
    if (origin === this) return;
    if (!this.sendSync((encoder) => writeUpdate(encoder, update))) {
      this.countUnsynced(this.status.getState().unsynced + 1);
    }
  };

  private readonly onAwareness = (
    changed: Record<'added' | 'updated' | 'removed', number[]>,
    origin: unknown,
  ): void => {
    if (origin !== this) this.sendAwareness([...changed.added, ...changed.updated, ...changed.removed]);
  };

  private countUnsynced(unsynced: number): void {
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

/** All that is written in a document: its text, or those of its cells in order. */
function textsIn(doc: Y.Doc): string {
  const cells = [...doc.getMap<unknown>('cells').values()].filter((cell) => cell instanceof Y.Map);
  const sorted = cells.sort((one, other) => (String(one.get('position')) < String(other.get('position')) ? -1 : 1));
  return [doc.getText('text'), ...sorted.map((cell) => cell.get('source'))].map(String).filter(Boolean).join('\n\n');
}

/** A holder's share of a document. */
export interface Held {
  live: LiveDocument;
  close(): void;
}

/** How long a document stays open after its last holder is gone: tabs are moved and opened again. */
const LINGER = 4000;
const open = new Map<string, { live: LiveDocument; holders: number }>();

/** Opens a document, or takes a share in the one that is open. */
export function openDocument(name: DocumentName): Held {
  const key = keyOf(name);
  const entry = open.get(key) ?? { live: new LiveDocument(name), holders: 0 };
  open.set(key, entry);
  entry.holders++;
  let held = true;
  const close = () => {
    if (!held) return;
    held = false;
    entry.holders--;
    if (entry.holders === 0) setTimeout(() => endUnlessHeld(key), LINGER);
  };
  return { live: entry.live, close };
}

/** Ends a document that nobody holds, but not before the server has all of it. */
function endUnlessHeld(key: string): void {
  const entry = open.get(key);
  if (!entry || entry.holders > 0) return;
  if (entry.live.status.getState().unsynced > 0) {
    setTimeout(() => endUnlessHeld(key), LINGER);
    return;
  }
  open.delete(key);
  entry.live.destroy();
}

function keyOf(name: DocumentName): string {
  return name.kind === 'file' ? `file:${name.path}` : name.kind;
}
