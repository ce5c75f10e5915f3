// Amounts in words. Pure.

/** A size as people read it: `1.2 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10) - 1);
  return `${(bytes / 1024 ** (at + 1)).toFixed(1)} ${units[at]}`;
}

/** A number with its noun: `1 row`, `1,200 rows`. */
export function countWords(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
