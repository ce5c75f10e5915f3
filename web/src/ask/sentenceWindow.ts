/** The things in this window that a sentence can mean: its tabs, the cell with the cursor, its parts, the person's clock. */
import { useShell } from '../app/shell';
import { useFrames } from '../frames/store';
import { activeTab, focusedPane } from '../frames/tree';
import { lastCell } from '../notebook/lastCell';
import { setting } from '../settings/values';
import { useThreads } from '../threads/state';
import { localTime, openTabs } from '../window/situation';
import type { SentenceCell, SentenceWindow } from '../wire/gen/types';

/** Returns this window as it is now. */
export function sentenceWindow(): SentenceWindow {
  const { nav, side } = useShell.getState();
  const { current } = useThreads.getState();
  const cell = cellInFront();
  const now = new Date();
  return {
    tabs: openTabs(),
    ...(cell && { cell }),
    ...(current && { thread: current }),
    layout: { sidebar: nav, side, dark: isDark() },
    time: localTime(now, -now.getTimezoneOffset()),
  };
}

/** The cell of the notebook in front that has the cursor, or had it last. */
function cellInFront(): SentenceCell | null {
  const view = activeTab(focusedPane(useFrames.getState().frames))?.view;
  const key = view?.kind === 'file' ? lastCell(view.path) : null;
  return view?.kind === 'file' && key !== null ? { path: view.path, key } : null;
}

function isDark(): boolean {
  const theme = setting('window.theme');
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}
