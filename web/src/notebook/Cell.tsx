import { type MouseEvent, memo, useEffect, useRef } from 'react';
import { Outputs } from '../outputs/Outputs';
import { CellTools } from './CellTools';
import { isHidden } from './collapsed';
import { useDragged } from './drag';
import { foldHeading, select, selectTo, togglePart } from './edits';
import { Gutter } from './Gutter';
import { MarkdownCell } from './MarkdownCell';
import styles from './Notebook.module.css';
import { useNear } from './near';
import { useCell, useKind } from './observed';
import { Source } from './Source';
import { only, selectedIn } from './selection';
import { useNotebook, useRun, useShown } from './view';
import { cellLabel } from './words';

interface CellProps {
  cellKey: string;
  /** From 0. */
  index: number;
  /** How many there are. */
  count: number;
  /** Under a heading that is collapsed. */
  hidden: boolean;
  /** How many cells its collapsed heading hides. */
  hides: number;
}

/** One cell. It hears of itself alone: what happens to others draws nothing here. */
export const Cell = memo(function Cell({ cellKey, index, count, hidden, hides }: CellProps) {
  const view = useNotebook();
  const article = useRef<HTMLElement>(null);
  const { near, seen } = useNear(article);
  const kind = useKind(view.observed, cellKey);
  const run = useRun(cellKey);
  const active = useShown(({ selection }) => selection.active === cellKey);
  const selected = useShown(
    ({ selection }) =>
      (selection.anchor !== selection.active && selectedIn(selection, view.observed.keys()).includes(cellKey)) ||
      selection.active === cellKey,
  );
  const editing = useShown(({ selection }) => selection.active === cellKey && selection.mode === 'edit');
  useWish(cellKey, article);
  const { handle, target, place } = useDragged(cellKey);
  const onMouseDown = (event: MouseEvent) =>
    pressed(
      event,
      () => selectTo(view, cellKey),
      () => select(view, only(cellKey)),
    );
  return (
    <article
      ref={article}
      className={styles.cell}
      hidden={hidden}
      tabIndex={active ? 0 : -1}
      aria-label={cellLabel(index, kind, run)}
      aria-posinset={index + 1}
      aria-setsize={count}
      data-cell={cellKey}
      data-kind={kind}
      data-active={active || undefined}
      data-selected={selected || undefined}
      data-editing={editing || undefined}
      data-drop={place}
      onMouseDown={onMouseDown}
      {...target}
      onFocus={(event) => event.target === event.currentTarget && !active && select(view, only(cellKey))}
    >
      <Gutter cellKey={cellKey} kind={kind} run={run} number={index + 1} handle={handle} />
      <div className={styles.content}>
        <Input cellKey={cellKey} kind={kind} near={near} seen={seen} editing={editing} number={index + 1} />
        {hides > 0 && (
          <button type="button" className={styles.fold} onClick={() => foldHeading(view, cellKey, false)}>
            {hides === 1 ? '1 cell hidden' : `${hides} cells hidden`}
          </button>
        )}
        {kind === 'code' && run && <Below cellKey={cellKey} seen={seen} number={index + 1} />}
      </div>
      {active && <CellTools cellKey={cellKey} kind={kind} />}
    </article>
  );
});

interface InputProps {
  cellKey: string;
  kind: string;
  near: boolean;
  seen: boolean;
  editing: boolean;
  number: number;
}

function Input({ cellKey, kind, near, seen, editing, number }: InputProps) {
  const view = useNotebook();
  const collapsed = useCell(view.observed, cellKey, (doc, key) => isHidden(doc, key, 'source'));
  const open = useShown(({ sources }) => sources.has(cellKey));
  if (collapsed && !editing) {
    return (
      <button type="button" className={styles.fold} onClick={() => togglePart(view, 'source')}>
        {kind === 'code' ? 'Code is hidden' : 'Text is hidden'}
      </button>
    );
  }
  if (kind === 'markdown' && !open) return <MarkdownCell cellKey={cellKey} seen={seen} />;
  return <Source cellKey={cellKey} kind={kind} mounted={near || editing} number={number} />;
}

function Below({ cellKey, seen, number }: { cellKey: string; seen: boolean; number: number }) {
  const view = useNotebook();
  const run = useRun(cellKey);
  const collapsed = useCell(view.observed, cellKey, (doc, key) => isHidden(doc, key, 'outputs'));
  if (!run || run.outputs.length === 0) return null;
  if (collapsed) {
    return (
      <button type="button" className={styles.fold} onClick={() => togglePart(view, 'outputs')}>
        {run.outputs.length === 1 ? '1 output is hidden' : `${run.outputs.length} outputs are hidden`}
      </button>
    );
  }
  return seen ? (
    <Outputs path={view.path} cellKey={cellKey} run={run} number={number} />
  ) : (
    <div className={styles.later} />
  );
}

/** A press selects the cell unless it goes into its text or to something of its own. */
function pressed(event: MouseEvent, extend: () => void, alone: () => void): void {
  const target = event.target as Element;
  if (target.closest('.cm-editor, button, a, input, select, textarea, [data-own]')) return;
  if (event.shiftKey) {
    event.preventDefault();
    extend();
  } else if (target.closest('[data-output]') === null) alone();
}

/** Takes the keyboard when it is wanted here. In edit mode the editor does. */
function useWish(cellKey: string, article: { current: HTMLElement | null }): void {
  const wish = useShown(({ wish }) => (wish?.key === cellKey ? wish : null));
  const mode = useShown(({ selection }) => (selection.active === cellKey ? selection.mode : 'command'));
  useEffect(() => {
    if (!wish || !article.current) return;
    if (mode === 'command') {
      article.current.focus({ preventScroll: true });
      article.current.scrollIntoView({ block: 'nearest' });
    }
  }, [wish, mode, article]);
}
