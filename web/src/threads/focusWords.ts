/** A place in a file, in few words. Pure. */
import type { Focus } from '../wire/gen/types';

/** "harmonics.py, line 12" or "harmonics.py, lines 3–9 selected". */
export function focusWords({ path, cursor, selection }: Focus): string {
  const name = path.split('/').at(-1) ?? path;
  if (selection && selection.end > selection.start)
    return `${name}, lines ${selection.start}–${selection.end} selected`;
  if (selection) return `${name}, selection in line ${selection.start}`;
  return cursor ? `${name}, line ${cursor}` : name;
}
