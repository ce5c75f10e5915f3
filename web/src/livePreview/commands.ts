// The keys of a Markdown file.
import { registerCommands } from '../app/commands';
import { kindOf } from '../files/kind';
import { focusedView } from '../frames/store';
import { toggleMode } from './mode';

/** The keys that show a file otherwise, and live again. */
export const MODE_KEYS = { source: 'Alt-s', reading: 'Mod-e' } as const;

let registered = false;

/** Adds them once per window. */
export function registerMarkdownCommands(): void {
  if (registered) return;
  registered = true;
  const when = () => markdownPath() !== null;
  const toggle = (mode: 'source' | 'reading') => () => {
    const path = markdownPath();
    if (path !== null) toggleMode(path, mode);
  };
  registerCommands([
    {
      id: 'markdown.source',
      title: 'Markdown: source on or off',
      group: 'Markdown',
      keys: [MODE_KEYS.source],
      once: true,
      when,
      run: toggle('source'),
    },
    {
      id: 'markdown.reading',
      title: 'Markdown: reading view on or off',
      group: 'Markdown',
      keys: [MODE_KEYS.reading],
      once: true,
      when,
      run: toggle('reading'),
    },
  ]);
}

/** The Markdown file that has the person's attention. */
export function markdownPath(): string | null {
  const view = focusedView();
  return view?.kind === 'file' && kindOf(view.path) === 'markdown' ? view.path : null;
}
