/** The files that this person looked at last, the latest first; kept in this browser. */
const KEY = 'aside.recent';
const MOST = 20;

/** Reads them; they may be gone by now, or belong to another workspace. */
export function readRecent(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps that a file is looked at now. */
export function keepRecent(path: string): void {
  localStorage.setItem(KEY, JSON.stringify([path, ...readRecent().filter((other) => other !== path)].slice(0, MOST)));
}
