// The help for somebody who types in a cell: the keys of an editor, brackets that close themselves, what could stand at the caret,
// the same words elsewhere in the cell.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, indentWithTab, toggleTabFocusMode } from '@codemirror/commands';
import { highlightSelectionMatches } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { completions } from './completion';
import { inspection } from './inspection';
import type { NotebookView } from './view';

/** For a cell of a kind; for code the kernel is asked what fits. */
export function typing(view: NotebookView, kind: string): Extension {
  return [
    closeBrackets(),
    highlightSelectionMatches(),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...defaultKeymap,
      { key: 'Ctrl-Shift-m', run: toggleTabFocusMode },
      indentWithTab,
    ]),
    kind === 'code' ? [completions(view), inspection(view)] : autocompletion(),
  ];
}
