// The keys of a text in an editor.
import { doAction } from '../app/actionFlow';
import { registerCommands } from '../app/commands';
import { isGuest } from '../app/session';
import { showVersions } from '../files/versions';
import { focusedView } from '../frames/store';
import { useFocus } from './focus';

let registered = false;

/** Adds them once per window. */
export function registerEditorCommands(): void {
  if (registered) return;
  registered = true;
  registerCommands([
    {
      id: 'doc.format',
      title: 'Format document',
      group: 'Editor',
      keys: ['Shift-Alt-f'],
      once: true,
      when: () => useFocus.getState().focus !== null,
      run: () => void formatFile(useFocus.getState().focus?.path ?? ''),
    },
    {
      id: 'doc.versions',
      owners: true,
      title: 'Version history',
      group: 'Editor',
      when: () => focusedView()?.kind === 'file',
      run: () => {
        const view = focusedView();
        if (view?.kind === 'file') showVersions(view.path);
      },
    },
    {
      id: 'lines.threads',
      title: 'Threads that changed these lines',
      group: 'Editor',
      when: () => useFocus.getState().focus !== null && !isGuest(),
      run: () => void threadsOfLines(useFocus.getState().focus?.path ?? ''),
    },
  ]);
}

/** Formats a file with what is installed for its kind; what is missing is said by the server. */
export async function formatFile(path: string): Promise<void> {
  await doAction({ action_type: 'doc.format', args: { path } }, { done: 'Formatted' });
}

/** Lists the threads that changed the lines that are looked at. */
export async function threadsOfLines(path: string): Promise<void> {
  const { findThreadsOfLines } = await import('../threads/lines');
  findThreadsOfLines(path);
}
