import { type ComponentProps, lazy, type MouseEvent, memo, type RefObject, Suspense, useEffect, useRef } from 'react';
import { isGuest } from '../app/session';
import { Outputs } from '../outputs/Outputs';
import { announce } from '../ui/Announcer';
import { Icon } from '../ui/Icon';
import { useWaits } from './ai/waits';
import { CellTools } from './CellTools';
import { isHidden } from './collapsed';
import { useDragged } from './drag';
import { foldHeading, select, selectTo, showToAi, togglePart } from './edits';
import { Gutter } from './Gutter';
import { canRun, KINDS } from './kinds';
import { MarkdownCell } from './MarkdownCell';
import styles from './Notebook.module.css';
import { useNear } from './near';
import { useCell, useKind } from './observed';
import { type CellRun, isUnderWay } from './runs';
import { Source } from './Source';
import { only, selectedIn } from './selection';
import { isHiddenFromAi } from './shownToAi';
import { useNotebook, useRun, useShown } from './view';
import { cellLabel, endWords } from './words';

const SqlHead = lazy(() => import('./SqlHead'));
const AiHead = lazy(() => import('./ai/AiHead'));
const AiAnswer = lazy(() => import('./ai/AiAnswer'));

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

/**
 * One cell. It hears of itself alone: what happens to others draws nothing here. Where it stands among them is all that an
 * insertion changes, and only of this outer part.
 */
export const Cell = memo(function Cell({ cellKey, index, count, hidden, hides }: CellProps) {
  const view = useNotebook();
  const article = useRef<HTMLElement>(null);
  const kind = useKind(view.observed, cellKey);
  const run = useRun(cellKey);
  const waits = useWaits(cellKey, kind);
  const { active, selected, editing } = useSelected(cellKey);
  useWish(cellKey, article);
  useAnnounced(kind, run, active);
  const { handle, target, place } = useDragged(cellKey);
  const selectThis = () => select(view, only(cellKey));
  return (
    <article
      ref={article}
      className={styles.cell}
      hidden={hidden}
      tabIndex={active ? 0 : -1}
      aria-label={cellLabel(index, kind, run, waits)}
      aria-posinset={index + 1}
      aria-setsize={count}
      data-cell={cellKey}
      data-kind={kind}
      data-active={active || undefined}
      data-selected={selected || undefined}
      data-editing={editing || undefined}
      data-drop={place}
      onMouseDown={(event) => pressed(event, () => selectTo(view, cellKey), selectThis)}
      {...target}
      onFocus={(event) => event.target === event.currentTarget && !active && selectThis()}
    >
      <Parts article={article} cellKey={cellKey} kind={kind} editing={editing} hides={hides} handle={handle} />
      {active && <CellTools cellKey={cellKey} kind={kind} />}
    </article>
  );
});

interface PartsProps {
  article: RefObject<HTMLElement | null>;
  cellKey: string;
  kind: string;
  editing: boolean;
  hides: number;
  handle: ComponentProps<'div'>;
}

const Parts = memo(function Parts({ article, cellKey, kind, editing, hides, handle }: PartsProps) {
  const view = useNotebook();
  const { near, seen } = useNear(article);
  return (
    <>
      <Gutter cellKey={cellKey} kind={kind} handle={handle} />
      <div className={styles.content}>
        <div className={styles.heads}>
          <KindHead cellKey={cellKey} kind={kind} />
          <HiddenMark cellKey={cellKey} />
        </div>
        <Input cellKey={cellKey} kind={kind} near={near} seen={seen} editing={editing} />
        {hides > 0 && (
          <button type="button" className={styles.fold} onClick={() => foldHeading(view, cellKey, false)}>
            {hides === 1 ? '1 cell hidden' : `${hides} cells hidden`}
          </button>
        )}
        {canRun(kind) && <Below cellKey={cellKey} kind={kind} seen={seen} />}
      </div>
    </>
  );
});

/** Says of what kind a cell is, where its look does not. */
function KindHead({ cellKey, kind }: { cellKey: string; kind: string }) {
  const head = KINDS[kind]?.head;
  if (!head) return null;
  const words = (
    <div className={styles.kindHead} aria-hidden="true">
      <Icon name={head.icon} size={12} />
      {head.words}
    </div>
  );
  // Which model answers is the owner's to see and to choose.
  if (kind !== 'sql' && (kind !== 'ai' || isGuest())) return words;
  return (
    <Suspense fallback={words}>{kind === 'ai' ? <AiHead cellKey={cellKey} /> : <SqlHead cellKey={cellKey} />}</Suspense>
  );
}

/** Says that models don't see a cell; a press shows it to them again. */
function HiddenMark({ cellKey }: { cellKey: string }) {
  const view = useNotebook();
  const hidden = useCell(view.observed, cellKey, isHiddenFromAi);
  if (!hidden) return null;
  return (
    <button
      type="button"
      className={styles.hiddenMark}
      title="Models don’t see this cell or its output. Click to show it to them again."
      onClick={() => showToAi(view, cellKey)}
    >
      <Icon name="eyeOff" size={12} />
      Hidden from AI
    </button>
  );
}

/** How a cell stands in the selection, as flags that seldom change. */
function useSelected(cellKey: string): { active: boolean; selected: boolean; editing: boolean } {
  const { observed } = useNotebook();
  const active = useShown(({ selection }) => selection.active === cellKey);
  const editing = useShown(({ selection }) => selection.active === cellKey && selection.mode === 'edit');
  const among = useShown(
    ({ selection }) =>
      selection.anchor !== selection.active && selectedIn(selection, observed.keys()).includes(cellKey),
  );
  return { active, selected: active || among, editing };
}

interface InputProps {
  cellKey: string;
  kind: string;
  near: boolean;
  seen: boolean;
  editing: boolean;
}

function Input({ cellKey, kind, near, seen, editing }: InputProps) {
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
  return <Source cellKey={cellKey} kind={kind} mounted={near || editing} seen={seen} />;
}

function Below({ cellKey, kind, seen }: { cellKey: string; kind: string; seen: boolean }) {
  const view = useNotebook();
  const run = useRun(cellKey);
  const collapsed = useCell(view.observed, cellKey, (doc, key) => isHidden(doc, key, 'outputs'));
  const begins = kind === 'ai' && isUnderWay(run);
  if (!run || (run.outputs.length === 0 && !begins)) return null;
  if (collapsed) {
    return (
      <button type="button" className={styles.fold} onClick={() => togglePart(view, 'outputs')}>
        {run.outputs.length === 1 ? '1 output is hidden' : `${run.outputs.length} outputs are hidden`}
      </button>
    );
  }
  const later = <div className={styles.later} />;
  if (!seen) return later;
  // The thread behind an answer is the owner's; what stands in the notebook is anybody's who reads it.
  if (kind !== 'ai' || isGuest()) return <Outputs path={view.path} cellKey={cellKey} run={run} />;
  return (
    <Suspense fallback={later}>
      <AiAnswer cellKey={cellKey} run={run} />
    </Suspense>
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

/** Says how the run of the cell that has the attention ended; others are seen, not heard. */
function useAnnounced(kind: string, run: CellRun | undefined, active: boolean): void {
  const before = useRef(run);
  useEffect(() => {
    const ended = isUnderWay(before.current) && !isUnderWay(run);
    before.current = run;
    if (ended && active && run) announce(endWords(kind, run));
  }, [kind, run, active]);
}

/** Takes the keyboard when it is wanted here. In edit mode the editor does. */
function useWish(cellKey: string, article: { current: HTMLElement | null }): void {
  const wish = useShown(({ wish }) => (wish?.key === cellKey ? wish : null));
  const mode = useShown(({ selection }) => (selection.active === cellKey ? selection.mode : 'command'));
  const granted = useRef<typeof wish>(null);
  useEffect(() => {
    if (!wish || !article.current || wish === granted.current) return;
    // Once: who has gone from the text to something else since stays there.
    granted.current = wish;
    if (mode === 'command') {
      article.current.focus({ preventScroll: true });
      article.current.scrollIntoView({ block: 'nearest' });
    }
  }, [wish, mode, article]);
}
