/** The things in this window that a sentence can mean: its tabs, the cell with the cursor, its parts, the person's clock. */
import { useShell } from '../app/shell';
import { useFrames } from '../frames/store';
import { activeTab, focusedPane, panesOf } from '../frames/tree';
import { lastCell } from '../notebook/lastCell';
import { setting } from '../settings/values';
import { useThreads } from '../threads/state';
import { addressOf } from '../window/tabs';
import type { SentenceCell, SentenceTab, SentenceWindow } from '../wire/gen/types';

/** Returns this window as it is now. */
export function sentenceWindow(): SentenceWindow {
  const { nav, side } = useShell.getState();
  const { current } = useThreads.getState();
  const cell = cellInFront();
  return {
    tabs: openTabs(),
    ...(cell && { cell }),
    ...(current && { thread: current }),
    layout: { sidebar: nav, side, dark: isDark() },
    time: localTime(new Date()),
  };
}

/** The person's clock with its offset: `2026-03-01T23:30:00+09:00`. */
export function localTime(now: Date): string {
  const offset = -now.getTimezoneOffset();
  const two = (number: number) => String(Math.floor(Math.abs(number))).padStart(2, '0');
  const local = new Date(now.getTime() + offset * 60_000).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
}

/** The tabs, in reading order. */
function openTabs(): SentenceTab[] {
  const { root, focused } = useFrames.getState().frames;
  return panesOf(root).flatMap((pane) =>
    pane.tabs.map((tab) => {
      const { path, shows } = addressOf(tab.view);
      return { path, is_file: shows === 'file', active: pane.id === focused && tab.id === pane.active };
    }),
  );
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
