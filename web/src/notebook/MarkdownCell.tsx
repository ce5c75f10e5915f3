import { lazy, Suspense, useMemo, useRef, useSyncExternalStore } from 'react';
import { DocumentContext } from '../markdown/document';
import { pictureFile } from '../markdown/rules';
import { pictureIn } from './attachments';
import { otherOf, sourceText } from './cells';
import { edit, showSource } from './edits';
import { useFoundWords } from './foundWords';
import styles from './Notebook.module.css';
import { useCell } from './observed';
import { useNotebook } from './view';

const Markdown = lazy(() => import('../markdown/Markdown'));

/** What a Markdown cell says. It is drawn when it first comes near; until then its text stands there. */
export function MarkdownCell({ cellKey, seen }: { cellKey: string; seen: boolean }) {
  const view = useNotebook();
  const { observed } = view;
  const text = useSyncExternalStore(
    (listener) => observed.onCell(cellKey, listener),
    () => sourceText(observed.doc, cellKey),
  );
  const open = () => {
    showSource(view, cellKey, true);
    edit(view, cellKey, 'end');
  };
  const attachments = useCell(observed, cellKey, (doc, key) => otherOf(doc, key, 'attachments'));
  const { path } = view;
  const said = useRef<HTMLDivElement>(null);
  useFoundWords(cellKey, said);
  const shown = useMemo(
    () => ({
      picture: (url: string) => pictureIn(attachments, url),
      file: (url: string) => pictureFile(url, path),
    }),
    [attachments, path],
  );
  if (text.trim() === '') {
    return (
      <button type="button" className={styles.fold} onClick={open}>
        Empty Markdown cell: click to edit
      </button>
    );
  }
  const plain = <pre className={styles.plain}>{text}</pre>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter on the cell does the same
    <div ref={said} className={styles.markdown} onDoubleClick={open}>
      {seen ? (
        <Suspense fallback={plain}>
          <DocumentContext value={shown}>
            <Markdown text={text} />
          </DocumentContext>
        </Suspense>
      ) : (
        plain
      )}
    </div>
  );
}
