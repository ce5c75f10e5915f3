// The tabs that were closed in this window, so that they can be opened again.
import { useFrames } from '../frames/store';
import { apply } from '../frames/tree';
import { type ClosedTab, type Closing, closedBetween, reopenTabs } from './tabs';

/** Closings that are remembered. */
const MOST = 50;

const closings: Closing[] = [];

/** Remembers what is closed from now on; returns what ends it. */
export function followClosing(): () => void {
  return useFrames.subscribe(({ frames, ready }, before) => {
    if (frames === before.frames || !before.ready || !ready) return;
    const tabs = closedBetween(before.frames, frames);
    if (tabs.length > 0) closings.push({ tabs, root: before.frames.root });
    if (closings.length > MOST) closings.shift();
  });
}

/** Opens the tabs that were closed last, and shows the last of them; returns those that were opened. */
export function reopenLast(): ClosedTab[] {
  for (let closing = closings.pop(); closing; closing = closings.pop()) {
    const reopened = reopen(closing.tabs, [closing.root]);
    if (reopened.length === 0) continue;
    const shown = reopened.findLast(({ active }) => active) ?? reopened.at(-1);
    if (shown) useFrames.setState(({ frames }) => ({ frames: apply(frames, { type: 'activate', tab: shown.tab.id }) }));
    return reopened;
  }
  return [];
}

/** Opens these tabs in their places; returns those that were not open. */
export function reopen(tabs: readonly ClosedTab[], shapes = closings.map(({ root }) => root)): ClosedTab[] {
  const { frames, reopened } = reopenTabs(useFrames.getState().frames, tabs, shapes);
  if (reopened.length > 0) useFrames.setState({ frames });
  return reopened;
}
