// Whether a person lets scripts of a notebook's outputs run, in a frame that can reach neither this page nor any network. The
// server keeps it; what was signed in Jupyter counts, too.
import { useEffect } from 'react';
import { doAction } from '../app/actionFlow';
import { isGuest } from '../app/session';
import { connection } from '../wire/connection';
import type { NotebookTrust } from '../wire/gen/types';
import { invalidate, invalidateWhere, useResource } from '../wire/resource';

let following = false;

/** Another window may have said otherwise, or another program put something else there: then the server tells. */
function follow(): void {
  if (following) return;
  following = true;
  connection.on('notebook_trust_changed', ({ path }) => invalidate(at(path)));
  connection.on('hello', () => invalidateWhere((key) => key.startsWith(BELOW)));
}

/** What of a notebook is trusted, once that is known. */
export function useTrustOf(path: string): NotebookTrust | null {
  useEffect(follow, []);
  return useResource<NotebookTrust>(isGuest() ? null : at(path)).data ?? null;
}

/** Tells whether the outputs of a notebook may run scripts; until that is known they may not. The owner's trust is no guest's. */
export function useTrust(path: string): boolean {
  return useTrustOf(path)?.trusted ?? false;
}

/**
 * Says that a notebook is trusted as it was looked at, or no longer; the server tells every window that shows it, this one
 * too.
 */
export async function setTrusted({ path, seen }: NotebookTrust, trusted: boolean): Promise<void> {
  await doAction({ action_type: 'notebook.trust', args: trusted ? { path, trusted, seen } : { path, trusted } });
  invalidate(at(path));
}

const BELOW = 'notebooks/trust?path=';

const at = (path: string): string => `${BELOW}${encodeURIComponent(path)}`;
