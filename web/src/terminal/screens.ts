// The terminals that are drawn in this window, one for each tab; each ends with its tab.
import { useFrames } from '../frames/store';
import { panesOf } from '../frames/tree';
import { Screen } from './screen';

const screens = new Map<string, Screen>();

/** The terminal of a tab; `ansi` is the class of the named colours. */
export function screenOf(tab: string, terminal: string, ansi: string): Screen {
  const held = screens.get(tab);
  if (held?.id === terminal) return held;
  held?.dispose();
  const screen = new Screen(terminal, ansi);
  screens.set(tab, screen);
  return screen;
}

useFrames.subscribe(({ frames }, before) => {
  if (frames.root === before.frames.root || screens.size === 0) return;
  const tabs = new Set(panesOf(frames.root).flatMap((pane) => pane.tabs.map((tab) => tab.id)));
  for (const [tab, screen] of screens) {
    if (tabs.has(tab)) continue;
    screen.dispose();
    screens.delete(tab);
  }
});
