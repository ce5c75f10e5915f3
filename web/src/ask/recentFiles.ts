import { readRecent } from '../frames/recent';
import { useFrames } from '../frames/store';
import { panesOf } from '../frames/tree';
import type { WorkspacePath } from '../wire/gen/types';

/** The files of this workspace that were looked at last, then those of open tabs. `paths` are the ones that exist. */
export function recentFiles(paths: readonly WorkspacePath[]): WorkspacePath[] {
  const exist = new Set(paths);
  const tabs = panesOf(useFrames.getState().frames.root).flatMap((pane) => pane.tabs);
  const open = tabs.flatMap(({ view }) => (view.kind === 'file' ? [view.path] : []));
  return [...new Set([...readRecent().filter((path) => exist.has(path)), ...open])];
}
