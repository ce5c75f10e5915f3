import { type Extension, Facet, type Transaction } from '@codemirror/state';
import { EditorView, keymap, ViewPlugin } from '@codemirror/view';
import { ySyncAnnotation } from 'y-codemirror.next';
import type { DocumentUndo } from '../documents/undo';

/** The document's own order of changes, for keys of other editors. */
export const documentUndo = Facet.define<DocumentUndo, DocumentUndo | null>({ combine: ([undo]) => undo ?? null });

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
    documentUndo.of(undo),
    steps(undo),
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

/**
 * What a key does at once (a comment, an indentation, a paste) is a step of its own, however soon after typing it comes. It
 * has to stand before what brings changes into the document.
 */
function steps(undo: DocumentUndo): Extension {
  let wasTyping = true;
  return ViewPlugin.define(() => ({
    update({ transactions }) {
      for (const transaction of transactions) {
        if (!transaction.docChanged || transaction.annotation(ySyncAnnotation) !== undefined) continue;
        const typing = isTyping(transaction);
        if (!(typing && wasTyping)) undo.manager.stopCapturing();
        wasTyping = typing;
      }
    },
  }));
}

const isTyping = (transaction: Transaction): boolean =>
  transaction.isUserEvent('input.type') || transaction.isUserEvent('delete');
