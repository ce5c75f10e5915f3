// Live documents, one copy a window however many panes show it.
//
//   const live = openDocument({ kind: 'file', path });   … live.close();
//   live.status (a store): phase, how it stands with its file; live.doc, live.text, live.awareness, live.undo
import type { DocumentName } from '../wire/gen/types';
import { keyOf, LiveDocument } from './liveDocument';

export type { DocumentStatus, LiveDocument } from './liveDocument';

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
  if (!entry.live.isSettled) {
    setTimeout(() => endUnlessHeld(key), LINGER);
    return;
  }
  open.delete(key);
  entry.live.destroy();
}

/** A page that goes away has no time left when it is told so for good. */
function storeAll(): void {
  for (const { live } of open.values()) live.storeNow();
}

window.addEventListener('pagehide', storeAll);
document.addEventListener('visibilitychange', storeAll);
