// What every editor has, whatever the file.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, indentWithTab, toggleTabFocusMode } from '@codemirror/commands';
import { bracketMatching, foldKeymap, indentOnInput } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import {
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  rectangularSelection,
} from '@codemirror/view';
import { yCollab } from 'y-codemirror.next';
import { presence } from '../documents/presence';
import type { LiveDocument } from '../documents/provider';
import { kindOf } from '../files/kind';
import { crosshair } from './crosshair';
import { drawnSelection } from './drawnSelection';
import { find } from './find';
import { folds } from './folds';
import { chosenKeys } from './keymaps';
import { preferences } from './preferences';
import { editorTheme } from './theme';
import { undoKeys } from './undoKeys';

/** The extensions of an editor that shows a live document. */
export function setup(path: string, live: LiveDocument): Extension {
  return [
    chosenKeys(true),
    preferences(kindOf(path), live.text.toString()),
    folds,
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    drawnSelection,
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    rectangularSelection(),
    crosshair(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion(),
    find(),
    highlightSelectionMatches(),
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': `Text of ${path}` }),
    Prec.high(undoKeys(live.undo)),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...foldKeymap,
      ...completionKeymap,
      { key: 'Ctrl-Shift-m', run: toggleTabFocusMode },
      indentWithTab,
    ]),
    yCollab(live.text, null, { undoManager: live.undo.manager }),
    presence(live.text, live.awareness),
    editorTheme,
  ];
}
