// Merges unsynced changes that earlier windows of this browser stored, once the server is reached again.
import { openFile } from '../frames/store';
import { toast } from '../ui/Toast';
import { useConnection } from '../wire/connection';
import { type NumberedChange, storedChanges, windowId } from './offlineStore';
import { openDocument } from './provider';

/** Looks for them now and after each reconnect; returns how to stop. `folder` names the workspace, see `Session.folder`. */
export function followStoredChanges(folder: string): () => void {
  const recover = () => void recoverAll(folder).catch(warn);
  if (useConnection.getState().status === 'online') recover();
  return useConnection.subscribe(({ status }, before) => {
    if (status === 'online' && before.status !== 'online') recover();
  });
}

async function recoverAll(folder: string): Promise<void> {
  const changes = await storedChanges(folder);
  const earlier = changes.filter((change) => change.window !== windowId);
  // One life of a document in one window is one piece of work.
  const groups = Map.groupBy(earlier, ({ window, epoch, path }) => [window, epoch, path].join('\n'));
  for (const pieces of groups.values()) await recover(pieces).catch(warn);
}

/** They stay stored, and the next start tries again. */
const warn = (error: unknown): void => console.warn('cannot merge unsynced changes:', error);

async function recover(pieces: readonly NumberedChange[]): Promise<void> {
  const path = pieces[0]?.path ?? '';
  const { live, close } = openDocument({ kind: 'file', path });
  try {
    const merged = await live.restore(pieces);
    const isLost = live.status.getState().lost !== null;
    if (isLost) openFile(path, { focus: false });
    else if (merged) toast(`Synced unsaved changes to ${path}`, { label: 'Open', run: () => openFile(path) });
  } finally {
    close();
  }
}
