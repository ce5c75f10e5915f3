// The names that a person gave to terminals. They stay in this browser, and its windows share them.
const KEY = 'aside.terminal.names';

/** Characters of a name. */
export const LONGEST_NAME = 60;

/** Names of terminals that are kept; the oldest make room. */
const MOST = 100;

/** The given names by terminal, the latest last. */
export function givenNames(): Readonly<Record<string, string>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const pairs = Object.entries(kept ?? {}).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
    return Object.fromEntries(pairs);
  } catch {
    return {};
  }
}

/** Gives a terminal a name; an empty one takes the given name away. */
export function giveName(terminal: string, name: string): void {
  const { [terminal]: _, ...others } = givenNames();
  const words = name.trim().slice(0, LONGEST_NAME);
  const pairs = [...Object.entries(others), ...(words === '' ? [] : [[terminal, words] as const])];
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(pairs.slice(-MOST))));
}

/** Calls back when another window of this browser gave a name; returns what ends it. */
export function onNamed(named: () => void): () => void {
  const listener = ({ key }: StorageEvent) => key === KEY && named();
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}
