// Whether a person lets scripts of a notebook's outputs run, in a frame that can reach neither this page nor any network. The
// server keeps it; what was signed in Jupyter counts, too.
import { useEffect } from 'react';
import { toastFailure } from '../ui/Toast';
import { connection } from '../wire/connection';
import type { NotebookTrust } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidate, invalidateWhere, useResource } from '../wire/resource';

let following = false;

/** Another window may have said otherwise, or another program put something else there: then the server tells. */
function follow(): void {
  if (following) return;
  following = true;
  connection.on('notebook_trust_changed', ({ path }) => invalidate(at(path)));
  connection.on('hello', () => invalidateWhere((key) => key.startsWith(BELOW)));
}

/** Tells whether a notebook is trusted; until that is known it is not. */
export function useTrust(path: string): boolean {
  useEffect(follow, []);
  return useResource<NotebookTrust>(at(path)).data?.trusted ?? false;
}

/** Says that a notebook is trusted, or no longer; the server tells every window that shows it, this one too. */
export async function setTrusted(path: string, trusted: boolean): Promise<void> {
  try {
    await request('PUT', 'notebooks/trust', { path, trusted } satisfies NotebookTrust);
  } catch (error) {
    toastFailure(failureOf(error));
  }
}

const BELOW = 'notebooks/trust?path=';

const at = (path: string): string => `${BELOW}${encodeURIComponent(path)}`;
