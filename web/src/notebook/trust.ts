// Whether a person lets scripts of a notebook's outputs run, in a frame that can reach neither this page nor any network. The
// server keeps it; what was signed in Jupyter counts, too.
import { toastFailure } from '../ui/Toast';
import type { NotebookTrust } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidate, useResource } from '../wire/resource';

/** Tells whether a notebook is trusted; until that is known it is not. */
export function useTrust(path: string): boolean {
  return useResource<NotebookTrust>(at(path)).data?.trusted ?? false;
}

/** Says that a notebook is trusted, or no longer. */
export async function setTrusted(path: string, trusted: boolean): Promise<void> {
  try {
    await request('PUT', 'notebooks/trust', { path, trusted } satisfies NotebookTrust);
    invalidate(at(path));
  } catch (error) {
    toastFailure(failureOf(error));
  }
}

const at = (path: string): string => `notebooks/trust?path=${encodeURIComponent(path)}`;
