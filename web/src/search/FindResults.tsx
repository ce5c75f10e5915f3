import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { openFile } from '../frames/store';
import { useWindowed } from '../ui/windowed';
import { RESULTS } from './FindFields';
import { FindFile, FindLine } from './FindRow';
import styles from './FindRows.module.css';
import { dismiss, type FindRow, findRows } from './findRows';
import { useFind } from './findStore';
import { replaceAll } from './replaceAll';

/** Rows of a step with Page Down. */
const PAGE = 20;

/** The results, by file. One row has the keyboard; only rows in sight are drawn. */
export function FindResults() {
  const { files, folded, dismissed, current } = useFind();
  const rows = useMemo(() => findRows(files, folded, dismissed), [files, folded, dismissed]);
  const view = useWindowed<HTMLDivElement>(rows.length);
  const found = rows.findIndex(({ id }) => id === current);
  const at = Math.max(0, found);
  const reveal = useRef(view.reveal);
  reveal.current = view.reveal;
  useEffect(() => {
    if (found >= 0) reveal.current(found);
  }, [found]);
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    if (!row || event.altKey || event.shiftKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE, Home: -rows.length, End: rows.length }[
      event.key
    ];
    if (step !== undefined) choose(rows[Math.max(0, Math.min(rows.length - 1, found < 0 ? 0 : at + step))]);
    else if (!onRow(event, row, rows, at)) return;
    event.preventDefault();
  };
  return (
    // A tree has items. It is one element all the same, so that the keyboard stays in it.
    // biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both have a name
    <div
      ref={view.scroller}
      id={RESULTS}
      role={rows.length > 0 ? 'tree' : 'group'}
      aria-label="Results"
      className={styles.list}
      tabIndex={rows.length > 0 ? 0 : -1}
      aria-activedescendant={rows[at] && rowId(rows[at])}
      onKeyDown={onKeyDown}
    >
      <div className={styles.rows} role="presentation" style={{ height: view.height }}>
        <div className={styles.window} role="presentation" style={{ top: view.before }}>
          {rows.slice(view.first, view.end).map((row) => {
            const shared = { id: rowId(row), isCurrent: row === rows[at], onDismiss: () => takeAway(row, rows) };
            return row.kind === 'file' ? (
              <FindFile key={row.id} {...shared} row={row} onPress={() => press(row)} />
            ) : (
              <FindLine key={row.id} {...shared} row={row} onPress={() => press(row)} />
            );
          })}
        </div>
      </div>
    </div>
  );
}

const rowId = (row: FindRow) => `found-${row.id}`;

function choose(row: FindRow | undefined): void {
  if (row) useFind.setState({ current: row.id });
}

/** The keys that do something to the row itself; tells whether this was one. */
function onRow(event: KeyboardEvent, row: FindRow, rows: readonly FindRow[], at: number): boolean {
  switch (event.key) {
    case 'Enter':
      if (event.ctrlKey || event.metaKey) {
        if (!useFind.getState().isReplacing) return false;
        void replaceAll(row.path);
      } else press(row);
      return true;
    case ' ':
      press(row);
      return true;
    case 'Delete':
      takeAway(row, rows);
      return true;
    case 'ArrowRight':
      if (row.kind === 'file' && !row.open) fold(row.path, false);
      else choose(rows[at + 1]);
      return true;
    case 'ArrowLeft':
      if (row.kind === 'line') choose(rows.find(({ id }) => id === row.path));
      else fold(row.path, true);
      return true;
    default:
      return false;
  }
}

function press(row: FindRow): void {
  choose(row);
  if (row.kind === 'line') openFile(row.path, { line: row.found.line });
  else fold(row.path, row.open);
}

function fold(path: string, to: boolean): void {
  useFind.setState(({ folded }) => {
    const next = new Set(folded);
    if (to) next.add(path);
    else next.delete(path);
    return { folded: next };
  });
}

/** Takes a row away; the one below it has the keyboard then. */
function takeAway(row: FindRow, rows: readonly FindRow[]): void {
  const after = rows.slice(rows.indexOf(row) + 1);
  const next = row.kind === 'file' ? after.find(({ kind }) => kind === 'file') : after[0];
  useFind.setState(({ dismissed }) => ({ dismissed: dismiss(dismissed, row), current: next?.id ?? null }));
}
