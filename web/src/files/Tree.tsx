import { type DragEvent, type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { isGuest } from '../app/session';
import { Sentences } from '../ask/Sentences';
import { openFile } from '../frames/store';
import { useWindowed } from '../ui/windowed';
import { type Editing, remove, startNew, startRename, useEditing } from './editing';
import styles from './FileTree.module.css';
import { allowDrop, drop, dropFolder } from './moves';
import { NameField } from './NameField';
import { type OpenMenu, pointAt, RowMenu } from './RowMenu';
import { type Row, type Step, stepFor, typeahead, visibleRows } from './rows';
import { expandFolder, useFiles } from './store';
import { TreeRow } from './TreeRow';
import { useActiveFile } from './useActiveFile';

/** The folders, as far as they are open. One row has the keyboard; the rest is reached by arrows and letters. */
export function Tree() {
  const { folders, expanded, current } = useFiles();
  const editing = useEditing((state) => state.editing);
  const rows = useMemo(() => visibleRows(folders, expanded), [folders, expanded]);
  const lines = useMemo(() => withField(rows, editing), [rows, editing]);
  const view = useWindowed<HTMLDivElement>(lines.length);
  const at = Math.max(
    0,
    rows.findIndex((row) => row.path === current),
  );
  const typed = useTyped();
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  useActiveFile();
  useRevealed(view.reveal, lines, current, editing);

  const take = (step: Step) => {
    if (!step) return;
    if ('expand' in step) expandFolder(step.expand, true);
    else if ('collapse' in step) expandFolder(step.collapse, false);
    else if (rows[step.go]) useFiles.setState({ current: rows[step.go]?.path });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault();
      setMenu({ row: row ?? null, at: (row && document.getElementById(rowId(row))) ?? event.currentTarget });
      return;
    }
    const step = stepFor(event.key, rows, at);
    if (step) take(step);
    else if (event.key.length === 1 && event.key !== ' ') take({ go: typeahead(rows, at, typed(event.key)) });
    else if (!row || !onRow(event.key, row)) return;
    event.preventDefault();
  };
  /** The row below the pointer; null below all rows. */
  const rowAt = ({ target }: MouseEvent) => {
    const element = target instanceof Element ? target.closest('[role=treeitem]') : null;
    return rows.find((row) => rowId(row) === element?.id) ?? null;
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    // A press of the menu key comes here as well, without a place.
    if (event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    const row = rowAt(event);
    if (row) useFiles.setState({ current: row.path });
    setMenu({ row, at: pointAt(event.clientX, event.clientY) });
  };
  const onDragOver = (event: DragEvent) => {
    const folder = isGuest() ? null : dropFolder(rowAt(event));
    setTarget(allowDrop(event, folder) ? folder : null);
  };
  const onDrop = (event: DragEvent) => {
    setTarget(null);
    if (!isGuest()) drop(event, dropFolder(rowAt(event)));
  };
  const top = folders.get('');
  if (top?.failure && !top.entries) return <p className={styles.problem}>{top.failure.message}</p>;
  return (
    <>
      {/* A tree has items. It is one element all the same, so that the keyboard stays in it. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both have a name */}
      <div
        ref={view.scroller}
        role={rows.length > 0 ? 'tree' : 'group'}
        aria-label="Files"
        className={styles.list}
        tabIndex={0}
        data-first-focus
        aria-activedescendant={rows[at] && rowId(rows[at])}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
        onDragOver={onDragOver}
        onDragLeave={() => setTarget(null)}
        onDrop={onDrop}
        data-drop={target === '' || undefined}
      >
        <div className={styles.rows} role="presentation" style={{ height: view.height }}>
          <div className={styles.window} role="presentation" style={{ top: view.before }}>
            {lines
              .slice(view.first, view.end)
              .map((line) =>
                'kind' in line ? (
                  <NameField key="field" editing={line} />
                ) : (
                  <TreeRow
                    key={line.path}
                    id={rowId(line)}
                    row={line}
                    current={line === rows[at]}
                    isTarget={target !== '' && target === line.path}
                  />
                ),
              )}
          </div>
        </div>
        {top?.entries?.length === 0 && !editing && (
          <div className={styles.empty}>
            <p>This folder is empty. Create a file, or drop files here to upload them.</p>
            <Sentences of={['create file notes.md', 'create folder data']} />
          </div>
        )}
      </div>
      {menu && (
        <RowMenu
          menu={menu}
          onClose={(back) => {
            setMenu(null);
            if (back) view.scroller.current?.focus();
          }}
        />
      )}
    </>
  );
}

const rowId = (row: Row) => `file-${row.path}`;

/** The keys that do something to the row itself; tells whether this was one. */
function onRow(key: string, row: Row): boolean {
  if (key === 'Enter' || key === ' ') {
    if (row.folder) expandFolder(row.path, !row.expanded);
    else openFile(row.path);
    return true;
  }
  if (row.hidden || isGuest()) return false;
  switch (key) {
    case 'F2':
      startRename(row.path);
      return true;
    case 'Delete':
      void remove(row);
      return true;
    case 'Insert':
      startNew('file');
      return true;
    default:
      return false;
  }
}

/** Puts the field for a name where the name will be. */
function withField(rows: Row[], editing: Editing | null): (Row | Editing)[] {
  if (!editing) return rows;
  if ('path' in editing) return rows.map((row) => (row.path === editing.path ? editing : row));
  const parent = rows.findIndex((row) => row.path === editing.folder);
  return (rows as (Row | Editing)[]).toSpliced(parent + 1, 0, editing);
}

/** Keeps the row that has the keyboard, or the field, in sight. */
function useRevealed(
  reveal: (index: number) => void,
  lines: (Row | Editing)[],
  current: string | null,
  editing: Editing | null,
): void {
  const index = lines.findIndex((line) => ('kind' in line ? line === editing : !editing && line.path === current));
  const latest = useRef(reveal);
  latest.current = reveal;
  useEffect(() => {
    if (index >= 0) latest.current(index);
  }, [index]);
}

/** Collects letters typed soon after each other. */
function useTyped(): (letter: string) => string {
  const word = useRef({ text: '', at: 0 });
  return (letter) => {
    const now = performance.now();
    const soon = now - word.current.at < 700;
    const repeated = soon && word.current.text === letter;
    word.current = { text: soon && !repeated ? word.current.text + letter : letter, at: now };
    return word.current.text;
  };
}
