// When the person last looked at each tab. A reload keeps it.
import { useFrames } from '../frames/store';
import { focusedPane } from '../frames/tree';

const KEY = 'aside.tabsUsed';
/** Tabs that are remembered. */
const MOST = 500;

const used = new Map<string, number>(kept());

/** Notes what is looked at from now on; returns what ends it. */
export function followUse(): () => void {
  note();
  return useFrames.subscribe(({ frames }, before) => {
    if (frames !== before.frames) note();
  });
}

/** Returns the time, in milliseconds since 1970, of the last look at a tab; none if there was none. */
export function usedAt(tab: string): number | undefined {
  return used.get(tab);
}

/** Notes the tab that is looked at, and the end of the look at the one before. */
let last: string | null = null;
function note(): void {
  const { active } = focusedPane(useFrames.getState().frames);
  if (active === last) return;
  for (const tab of [last, active]) {
    if (tab === null) continue;
    // The latest come last.
    used.delete(tab);
    used.set(tab, Date.now());
  }
  last = active;
  sessionStorage.setItem(KEY, JSON.stringify([...used].slice(-MOST)));
}

function kept(): [string, number][] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(value) ? (value as [string, number][]) : [];
  } catch {
    return [];
  }
}
