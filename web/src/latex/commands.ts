// The keys of a LaTeX document.
import { registerCommands } from '../app/commands';
import { useFocus } from '../editor/focus';
import { build } from './build';
import { showInPdf } from './places';
import { isLatex, mayBeLatex } from './state';

const focus = () => useFocus.getState().focus;
const inLatex = () => isLatex(focus()?.path ?? '');
const ofLatex = () => mayBeLatex(focus()?.path ?? '');

let registered = false;

/** Adds them once per window. */
export function registerLatexCommands(): void {
  if (registered) return;
  registered = true;
  registerCommands([
    {
      id: 'latex.build',
      title: 'Build LaTeX document',
      group: 'LaTeX',
      keys: ['Mod-Alt-b'],
      once: true,
      when: ofLatex,
      run: () => void build(focus()?.path ?? ''),
    },
    {
      id: 'latex.show_in_pdf',
      title: 'Show line in PDF',
      group: 'LaTeX',
      keys: ['Mod-Alt-j'],
      when: inLatex,
      run: () => void showInPdf(focus()?.path ?? '', focus()?.cursor ?? 1),
    },
  ]);
}
