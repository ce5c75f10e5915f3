// Keeps unsynced changes in the browser's IndexedDB, so that a reload or a crash while the server is away loses nothing.
// `delivery.ts` writes them, `recovery.ts` merges those that an earlier window left behind.
import type { EpochId } from '../wire/gen/types';
import type { Parts } from './parts';

const DATABASE = 'aside-unsynced';
const CHANGES = 'changes';

/** Changes that nobody came back for are dropped after so many milliseconds. */
const EXPIRY = 60 * 24 * 60 * 60 * 1000;

/** A piece of an unsynced document: its whole state first, then updates on top of it. */
export interface StoredChange {
  /** Tells the workspace from others under this address; see `Session.folder`. */
  folder: string;
  path: string;
  epoch: EpochId;
  /** The window that made it, or that has taken it over. */
  window: string;
  /** The texts that the server was last known to have; null where they are too long to keep. */
  base: Parts | null;
  update: Uint8Array;
  /** Milliseconds since 1970. */
  at: number;
}

/** The same with its number in the store. */
export interface NumberedChange extends StoredChange {
  id: number;
}

/** This window, among the others of the browser. */
export const windowId = crypto.randomUUID();

let opening: Promise<IDBDatabase> | null = null;

/** Opens the store ahead of its first use: a page that goes away has no time for it. */
export function openStore(): void {
  database().catch(() => {});
}

/** Adds a change in place of others; returns its number. Rejects if the browser can't or won't store it. */
export async function storeChange(change: StoredChange, instead: readonly number[] = []): Promise<number> {
  let number = 0;
  await transaction('readwrite', (changes) => {
    for (const id of instead) changes.delete(id);
    const adding = changes.add(change);
    adding.onsuccess = () => {
      number = Number(adding.result);
    };
  });
  return number;
}

/** Drops changes that the server has. */
export async function dropChanges(ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction('readwrite', (changes) => {
    for (const id of ids) changes.delete(id);
  });
}

/** All stored changes of a workspace, oldest first. Expired changes of any workspace are dropped. */
export async function storedChanges(folder: string, now = Date.now()): Promise<NumberedChange[]> {
  const found: NumberedChange[] = [];
  await transaction('readwrite', (changes) => {
    eachChange(changes, (cursor, change) => {
      if (now - change.at > EXPIRY) cursor.delete();
      else if (change.folder === folder) found.push(change);
    });
  });
  return found;
}

/** Takes changes over from a window that is gone; false if another window was faster, or the server has them by now. */
export async function claimChanges(from: string, ids: readonly number[]): Promise<boolean> {
  let claimed = 0;
  await transaction('readwrite', (changes) => {
    for (const id of ids) {
      const reading = changes.get(id) as IDBRequest<StoredChange | undefined>;
      reading.onsuccess = () => {
        if (reading.result?.window !== from) return;
        claimed++;
        changes.put({ ...reading.result, window: windowId }, id);
      };
    }
  });
  return claimed === ids.length;
}

function eachChange(changes: IDBObjectStore, each: (cursor: IDBCursorWithValue, change: NumberedChange) => void): void {
  const walking = changes.openCursor();
  walking.onsuccess = () => {
    const cursor = walking.result;
    if (!cursor) return;
    each(cursor, { ...(cursor.value as StoredChange), id: Number(cursor.key) });
    cursor.continue();
  };
}

/** Runs requests in one transaction; ends when it is stored. */
async function transaction(mode: IDBTransactionMode, run: (changes: IDBObjectStore) => void): Promise<void> {
  const open = await database();
  await new Promise<void>((resolve, reject) => {
    const running = open.transaction(CHANGES, mode);
    running.oncomplete = () => resolve();
    running.onabort = () => reject(running.error ?? new Error('The browser aborted the write.'));
    run(running.objectStore(CHANGES));
  });
}

function database(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(CHANGES, { autoIncrement: true });
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      request.result.onclose = forget;
      resolve(request.result);
    };
  }).catch((error: unknown) => {
    forget();
    throw error;
  });
  return opening;
}

/** The next use opens it anew. */
function forget(): void {
  opening = null;
}
