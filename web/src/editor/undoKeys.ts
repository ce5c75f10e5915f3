import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { DocumentUndo } from '../documents/undo';

/** Ctrl-Z in the document's own order, by key and by the browser's menu. */
export function undoKeys(undo: DocumentUndo): Extension {
  const back = () => {
    undo.undo();
    return true;
  };
  const again = () => {
    undo.redo();
    return true;
  };
  return [
    keymap.of([
      { key: 'Mod-z', run: back, preventDefault: true },
      { key: 'Mod-y', mac: 'Mod-Shift-z', run: again, preventDefault: true },
      { key: 'Mod-Shift-z', run: again, preventDefault: true },
    ]),
    EditorView.domEventHandlers({
      beforeinput: (event) => {
        if (event.inputType === 'historyUndo') return back();
        return event.inputType === 'historyRedo' ? again() : false;
      },
    }),
  ];
}
