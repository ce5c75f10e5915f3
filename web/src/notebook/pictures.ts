// Pictures that are pasted or dropped into the text of a Markdown cell: the cell brings them along.
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { base64Of } from '../ui/dataUrl';
import { toast } from '../ui/Toast';
import { attach, fits, PICTURE, type Picture } from './attachments';
import { kindOf, otherOf, sourceOf } from './cells';
import type { NotebookView } from './view';

/** Takes pictures into a cell where they are pasted or dropped; everything else goes its way. */
export function pictures(view: NotebookView, key: string): Extension {
  const take = (editor: EditorView, data: DataTransfer | null): boolean => {
    const files = [...(data?.files ?? [])].filter(({ type }) => PICTURE.test(type));
    // An office program gives a picture beside the text that was copied.
    if (files.length === 0 || data?.types.includes('text/plain')) return false;
    if (kindOf(view.observed.doc, key) !== 'markdown') return false;
    void takeIn(view, key, editor, files);
    return true;
  };
  return EditorView.domEventHandlers({
    paste: (event, editor) => take(editor, event.clipboardData),
    drop: (event, editor) => {
      const anchor = editor.posAtCoords({ x: event.clientX, y: event.clientY }, false);
      if (!take(editor, event.dataTransfer)) return false;
      editor.dispatch({ selection: { anchor } });
      return true;
    },
  });
}

async function takeIn(view: NotebookView, key: string, editor: EditorView, files: readonly File[]): Promise<void> {
  const { doc } = view.observed;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (!fits(otherOf(doc, key, 'attachments'), bytes)) {
    return toast('Images in a cell are limited to 10 MB. Save larger images next to the notebook and link to them.');
  }
  const read = files.map(
    async (file): Promise<Picture> => ({
      name: file.name,
      mime: file.type,
      base64: await base64Of(file),
    }),
  );
  const taken = await Promise.all(read).catch(() => null);
  if (!taken) return toast('Couldn’t read the image.');
  const source = sourceOf(doc, key);
  if (!source) return;
  const { from, to } = editor.state.selection.main;
  const words = view.live.undo.step(() =>
    doc.transact(() => {
      const words = attach(doc, key, taken);
      source.delete(from, to - from);
      source.insert(from, words);
      return words;
    }),
  );
  if (editor.dom.isConnected) editor.dispatch({ selection: { anchor: from + words.length } });
}
