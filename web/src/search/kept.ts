// What is typed into the search, kept for this window over a reload.

/** Reads what is kept; the rest is as in `first`. */
export function readKept<Kept extends object>(key: string, first: Kept): Kept {
  try {
    return { ...first, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Kept>) };
  } catch {
    return first;
  }
}

/** Keeps it. */
export function keep(key: string, kept: object): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // A window that may keep nothing searches all the same.
  }
}
