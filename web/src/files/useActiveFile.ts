import { useEffect } from 'react';
import { useFrames } from '../frames/store';
import { activeTab, focusedPane } from '../frames/tree';
import { showInTree, useFiles } from './store';

/** Shows the focused pane's file in the tree, each time it is another one. */
export function useActiveFile(): void {
  const path = useFrames(({ frames }) => {
    const view = activeTab(focusedPane(frames))?.view;
    return view?.kind === 'file' ? view.path : null;
  });
  // Which folders are hidden is known only after the top was read.
  const known = useFiles(({ folders }) => folders.get('')?.entries != null);
  useEffect(() => {
    if (path !== null && known) showInTree(path);
  }, [path, known]);
}
