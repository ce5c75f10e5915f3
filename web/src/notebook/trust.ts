// Which notebooks a person trusts, by workspace and file, kept in this browser. Trust lets their outputs run scripts, in a
// frame that can reach neither this page nor any network.
import { create } from 'zustand';
import { useSession } from '../app/session';

const KEY = 'aside.notebooks.trusted';

const useTrusted = create<{ files: ReadonlySet<string> }>(() => ({ files: kept() }));

/** Tells whether a notebook is trusted. */
export function useTrust(path: string): boolean {
  return useTrusted(({ files }) => files.has(nameOf(path)));
}

/** Says that a notebook is trusted, or no longer. */
export function setTrusted(path: string, trusted: boolean): void {
  const files = new Set(useTrusted.getState().files);
  if (trusted) files.add(nameOf(path));
  else files.delete(nameOf(path));
  useTrusted.setState({ files });
  try {
    localStorage.setItem(KEY, JSON.stringify([...files]));
  } catch {
    // Without storage it holds as long as the window.
  }
}

function nameOf(path: string): string {
  const { state } = useSession.getState();
  return `${state.phase === 'open' ? state.session.workspace : ''}\n${path}`;
}

function kept(): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return new Set(Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []);
  } catch {
    return new Set();
  }
}
