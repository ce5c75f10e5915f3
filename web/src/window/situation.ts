/** The situation that goes with a message to the Navigator, as far as only the window knows it. */
import { useFrames } from '../frames/store';
import { panesOf } from '../frames/tree';
import type { SentenceTab, WindowSituation } from '../wire/gen/types';
import { addressOf } from './tabs';

/** The tabs in reading order, and the local time. */
export function windowSituation(now: Date = new Date()): WindowSituation {
  return { tabs: openTabs(), time: localTime(now, -now.getTimezoneOffset()) };
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
