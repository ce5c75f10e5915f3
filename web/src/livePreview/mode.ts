// How each Markdown file is shown: as it is written, rendered around the cursor, or for reading. Kept in this browser, by
// person and file; what nobody chose is live.
import { create } from 'zustand';

/** The ways to show a Markdown file. */
export type MarkdownMode = 'live' | 'source' | 'reading';

const KEY = 'aside.markdownModes';
/** Files whose choice is kept; the oldest make room. */
const MOST = 300;

/** The choices by path, the latest last. */
export const useModes = create<{ modes: Readonly<Record<string, MarkdownMode>> }>(() => ({ modes: kept() }));

/** How a file is shown, for components. */
export function useMarkdownMode(path: string): MarkdownMode {
  return useModes(({ modes }) => modes[path] ?? 'live');
}

/** How a file is shown now. */
export const modeOf = (path: string): MarkdownMode => useModes.getState().modes[path] ?? 'live';

/** Shows a file in a way, also the next time. */
export function setMode(path: string, mode: MarkdownMode): void {
  const { [path]: _, ...others } = useModes.getState().modes;
  const all = mode === 'live' ? others : { ...others, [path]: mode };
  const modes = Object.fromEntries(Object.entries(all).slice(-MOST));
  useModes.setState({ modes });
  localStorage.setItem(KEY, JSON.stringify(modes));
}

/** Shows a file in a way, or live again if it is shown so. */
export function toggleMode(path: string, mode: MarkdownMode): void {
  setMode(path, modeOf(path) === mode ? 'live' : mode);
}

function kept(): Record<string, MarkdownMode> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const isMode = (value: unknown): value is MarkdownMode => value === 'source' || value === 'reading';
    return Object.fromEntries(
      Object.entries(found ?? {}).filter((pair): pair is [string, MarkdownMode] => isMode(pair[1])),
    );
  } catch {
    return {};
  }
}
