/** The things in this window that a sentence can mean, and that a message to the Navigator tells: its tabs, the cell with the cursor, its parts, the person's clock. */
import { useShell } from '../app/shell';
import { useFrames } from '../frames/store';
import { activeTab, focusedPane, panesOf } from '../frames/tree';
import { lastCell } from '../notebook/lastCell';
import { setting } from '../settings/values';
import { useThreads } from '../threads/state';
import type { SentenceCell, SentenceTab, WindowSituation } from '../wire/gen/types';
import { addressOf } from './tabs';

/** Returns this window as it is now. */
export function windowSituation(now: Date = new Date()): WindowSituation {
  const { nav, side } = useShell.getState();
  const { current } = useThreads.getState();
  const cell = cellInFront();
  return {
    tabs: openTabs(),
    ...(cell && { cell }),
    ...(current && { thread: current }),
    layout: { sidebar: nav, side, dark: isDark() },
    time: localTime(now, -now.getTimezoneOffset()),
  };
}

/** The tabs, in reading order. */
export function openTabs(): SentenceTab[] {
  const { root, focused } = useFrames.getState().frames;
  return panesOf(root).flatMap((pane) =>
    pane.tabs.map((tab) => {
      const { path, shows } = addressOf(tab.view);
      return { path, is_file: shows === 'file', active: pane.id === focused && tab.id === pane.active };
    }),
  );
}

/** The time with its zone, that many minutes east of Greenwich. */
export function localTime(now: Date, minutes: number): string {
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0');
  const local = new Date(now.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  return `${local}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
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
