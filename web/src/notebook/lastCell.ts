// Which cell of a notebook had the attention last; it outlives a reload of the window.
const PREFIX = 'aside.cell:';

/** The cell that had it; null before any had. */
export function lastCell(path: string): string | null {
  return sessionStorage.getItem(PREFIX + path);
}

/** Keeps it. */
export function keepCell(path: string, key: string): void {
  sessionStorage.setItem(PREFIX + path, key);
}
