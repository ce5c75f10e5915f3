// Which line stood at the top of a tab when its file was last shown in another way.

const tops = new Map<string, { path: string; line: number }>();

/** Remembers the line, from 1, for the next way in which the tab shows its file. */
export function keepTop(tab: string, path: string, line: number): void {
  tops.set(tab, { path, line });
}

/** The line that was remembered, once; null if there is none. */
export function takeTop(tab: string, path: string): number | null {
  const found = tops.get(tab);
  tops.delete(tab);
  return found?.path === path ? found.line : null;
}
