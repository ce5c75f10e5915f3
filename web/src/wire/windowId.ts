// The name of this window, by which an action finds it. A reload keeps it; a copy of the window gets one of its own.
const KEY = 'aside.window';

let id: string | null = null;

/** Returns the name of this window. */
export function windowId(): string {
  if (id !== null) return id;
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  id = (entry?.type === 'reload' ? sessionStorage.getItem(KEY) : null) ?? crypto.randomUUID();
  sessionStorage.setItem(KEY, id);
  return id;
}
