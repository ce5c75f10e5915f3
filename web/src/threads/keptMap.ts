/** A map that is kept on this machine for all windows: one entry is changed at a time, those that others keep stay. */
export interface KeptMap<T> {
  /** What is kept now. */
  read(): Record<string, T>;
  /** Keeps one entry, or forgets it. */
  change(name: string, value: T | undefined): void;
}

/** Of more entries than `most` those that were changed last are kept; what `isOne` does not know is passed over. */
export function keptMap<T>(key: string, isOne: (value: unknown) => value is T, most: number): KeptMap<T> {
  const read = (): Record<string, T> => {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
      const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
      return Object.fromEntries(entries.filter((entry): entry is [string, T] => isOne(entry[1])));
    } catch {
      return {};
    }
  };
  const change = (name: string, value: T | undefined) => {
    const { [name]: _, ...others } = read();
    const all = Object.entries(value === undefined ? others : { ...others, [name]: value });
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(all.slice(-most))));
  };
  return { read, change };
}
