import { type MouseEvent, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useSetting } from '../settings/values';
import type { FileKind } from '../wire/gen/types';
import { type CellEditor, cellEditor } from './cellEditor';
import { edit } from './edits';
import { KINDS } from './kinds';
import { codeKind } from './language';
import styles from './Notebook.module.css';
import { useSource } from './observed';
import { StaticCode } from './StaticCode';
import { type NotebookView, useNotebook, useShown } from './view';

interface SourceProps {
  cellKey: string;
  kind: string;
  /** With an editor; without one the text only stands there. */
  mounted: boolean;
  /** It came near at some time. */
  seen: boolean;
}

/** The text of a cell: an editor while it is near or has the keyboard, else the same text without one. */
export function Source({ cellKey, kind, mounted, seen }: SourceProps) {
  const view = useNotebook();
  const language = useLanguage(kind);
  return (
    <div className={styles.source}>
      {mounted ? (
        <Editor cellKey={cellKey} language={language} kind={kind} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: Enter on the cell does the same
        <div onMouseDown={(event) => pressed(view, cellKey, event)}>
          <StaticCode observed={view.observed} cellKey={cellKey} language={language} seen={seen} />
        </div>
      )}
    </div>
  );
}

/** A press into a text that has no editor yet goes into the text all the same. */
function pressed(view: NotebookView, cellKey: string, event: MouseEvent): void {
  if (event.button !== 0 || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  edit(view, cellKey, { x: event.clientX, y: event.clientY });
}

function useLanguage(kind: string): FileKind {
  const { runs, observed } = useNotebook();
  const ofKernel = useStore(runs, ({ kernel }) => kernel?.kernel?.language);
  const language = kind === 'code' ? null : (KINDS[kind]?.language ?? 'plain');
  return language ?? codeKind(observed.doc, ofKernel);
}

interface EditorProps {
  cellKey: string;
  kind: string;
  language: FileKind;
}

function Editor({ cellKey, kind, language }: EditorProps) {
  const view = useNotebook();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CellEditor | null>(null);
  const source = useSource(view.observed, cellKey);
  const wanted = useSetting('notebook.line_numbers');
  const lineNumbers = useShown((shown) => shown.lineNumbers) ?? wanted;
  const tabSize = useSetting('editor.tab_size');
  useLayoutEffect(() => {
    if (!host.current || !source) return;
    const made = cellEditor(view, cellKey, source, host.current);
    editor.current = made;
    return () => {
      made.destroy();
      editor.current = null;
    };
  }, [view, cellKey, source]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new source is a new editor to tell it; the tab size is read by it
  useLayoutEffect(
    () => editor.current?.configure({ language, lineNumbers, kind }),
    [language, lineNumbers, kind, source, tabSize],
  );
  const wish = useShown(({ wish, selection }) =>
    wish?.key === cellKey && selection.active === cellKey && selection.mode === 'edit' ? wish : null,
  );
  const granted = useRef<typeof wish>(null);
  useLayoutEffect(() => {
    if (!wish || wish === granted.current) return;
    // Once: who comes back to the text is where they press.
    granted.current = wish;
    editor.current?.focus(wish.caret);
  }, [wish]);
  const found = useShown(({ found }) => (found?.key === cellKey ? found : null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new source is a new editor to show it in
  useLayoutEffect(() => {
    if (found) editor.current?.mark(found.from, found.to);
  }, [found, source]);
  const query = useShown((shown) => shown.query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useLayoutEffect(() => {
    if (!query) return;
    editor.current?.look(query, found);
    return () => editor.current?.look(null, null);
  }, [query, found, source]);
  return <div ref={host} />;
}
