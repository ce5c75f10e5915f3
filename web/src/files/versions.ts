/** The document whose kept versions are shown; null while none are. */
import { create } from 'zustand';
import { invalidate } from '../wire/resource';

export const useVersionsOf = create<{ readonly path: string | null }>(() => ({ path: null }));

/** Shows what is kept of a document. */
export function showVersions(path: string): void {
  // Each time there may be more.
  invalidate(versionsAt(path));
  useVersionsOf.setState({ path });
}

/** Where the list of them is read. */
export const versionsAt = (path: string): string => `files/versions?${new URLSearchParams({ path })}`;
