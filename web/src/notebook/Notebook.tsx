import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { isGuest } from '../app/session';
import type { LiveDocument } from '../documents/provider';
import { useFrames } from '../frames/store';
import { EquationContext } from '../markdown/equations';
import { LinkContext } from '../markdown/places';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { useKeepFocus } from '../ui/useKeepFocus';
import { Cell } from './Cell';
import { emptyCell } from './cells';
import { edit, insertAfter, select } from './edits';
import { FindBar } from './FindBar';
import { whenIdle } from './idle';
import { KernelLine } from './KernelLine';
import { attendTo } from './keys';
import { LosingDialog } from './LosingDialog';
import styles from './Notebook.module.css';
import { Nearness, NearnessContext } from './near';
import { OddCells } from './OddCells';
import { Outline } from './Outline';
import { Observed, useFolded, useOrder } from './observed';
import { goToCell, goToNumber, goToPlace } from './places';
import { only, without } from './selection';
import { Toolbar } from './Toolbar';
import { useArrivalAt } from './useArrivalAt';
import { useCellFocus } from './useCellFocus';
import { useEquations } from './useEquations';
import { NotebookContext, type NotebookView, newShown, useNotebook } from './view';
import { watchRuns } from './watch';

interface NotebookProps {
  path: string;
  live: LiveDocument;
  tab: string;
  /** The pane has the person's attention. */
  focused: boolean;
}

/**
 * A live notebook: its cells, their outputs, its kernel. It binds anew when the document's copy had to be dropped. What is
 * around it draws itself with every key, for what is saved and synced: that is nothing to a thousand cells.
 */
export default memo(function Notebook({ path, live, tab, focused }: NotebookProps) {
  const generation = useStore(live.status, (status) => status.generation);
  const view = useView(path, live, tab, generation);
  useEffect(() => (focused && view ? attendTo(view) : undefined), [focused, view]);
  if (!view) return null;
  return (
    <NotebookContext value={view}>
      <Toolbar />
      {!isGuest() && <KernelLine />}
      <OddCells />
      <FindBar />
      <Body focused={focused} />
      <LosingDialog />
    </NotebookContext>
  );
});

/** What the parts share, for as long as the document's copy and the path are the same. */
function useView(path: string, live: LiveDocument, tab: string, generation: number): NotebookView | null {
  const [view, setView] = useState<NotebookView | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation is a new document to bind to
  useLayoutEffect(() => {
    const observed = new Observed(live.doc);
    const { runs, close } = watchRuns(path);
    setView({ path, tab, live, observed, runs, shown: newShown() });
    return () => {
      setView(null);
      observed.destroy();
      close();
    };
  }, [path, live, tab, generation]);
  return view;
}

function Body({ focused }: { focused: boolean }) {
  const view = useNotebook();
  const scroller = useRef<HTMLDivElement>(null);
  const nearness = useMemo(() => new Nearness(), []);
  useLayoutEffect(() => nearness.start(scroller.current), [nearness]);
  const place = useMemo(() => ({ from: view.path, goTo: (name: string) => goToPlace(view, name) }), [view]);
  const equations = useEquations(view);
  usePlaceWish(view);
  useArrivalAt(view, focused, scroller);
  // What is pressed in a cell often goes with the press.
  useKeepFocus(scroller);
  useCellFocus(view, focused);
  return (
    <div className={styles.body}>
      <div ref={scroller} className={styles.scroller} data-notebook={view.path}>
        <NearnessContext value={nearness}>
          <LinkContext value={place}>
            <EquationContext value={equations}>
              <Cells />
            </EquationContext>
          </LinkContext>
        </NearnessContext>
      </div>
      <Outline />
    </div>
  );
}

/** Goes to the heading or cell that somebody elsewhere names. */
function usePlaceWish(view: NotebookView): void {
  const reveal = useFrames((state) => state.reveals[view.tab]);
  const gone = useRef(0);
  useEffect(() => {
    if (!reveal || gone.current === reveal.count) return;
    gone.current = reveal.count;
    if (reveal.cell !== null) goToCell(view, reveal.cell);
    else if (reveal.heading !== null) goToPlace(view, reveal.heading);
    else if (reveal.line !== null) goToNumber(view, reveal.line);
  }, [view, reveal]);
}

function Cells() {
  const view = useNotebook();
  const order = useOrder(view.observed);
  const { hidden, counts } = useFolded(view.observed);
  const drawn = useDrawn(order);
  useLostCell(order);
  const hadCells = useRef(false);
  hadCells.current ||= order.length > 0;
  if (order.length === 0) return <Empty isLeft={hadCells.current} />;
  return (
    <>
      <div role="feed" aria-label={`Cells of ${view.path}`} className={styles.feed}>
        {order.slice(0, drawn).map((key, index) => (
          <Cell
            key={key}
            cellKey={key}
            index={index}
            count={order.length}
            hidden={hidden.has(key)}
            hides={counts.get(key) ?? 0}
          />
        ))}
      </div>
      {drawn >= order.length && <Add after={order.at(-1) ?? null} />}
    </>
  );
}

/** Cells that are drawn at first, and how many follow at once. */
const [FIRST, MORE] = [12, 20];

/** How many cells are drawn: those at the start at once, so that they can be used; the others soon after, piece by piece. */
function useDrawn(order: readonly string[]): number {
  const { shown } = useNotebook();
  const [drawn, setDrawn] = useState(FIRST);
  const active = useStore(shown, ({ selection }) => (selection.active === null ? -1 : order.indexOf(selection.active)));
  const count = Math.max(drawn, active + FIRST);
  useEffect(() => {
    if (count >= order.length) return;
    return whenIdle(() => setDrawn(count + MORE));
  }, [count, order.length]);
  return count;
}

/** When the active cell is gone (an undo, somebody else), what is beside its place has the attention. */
function useLostCell(order: readonly string[]): void {
  const view = useNotebook();
  const before = useRef(order);
  useEffect(() => {
    const { selection } = view.shown.getState();
    const lost = document.activeElement === document.body;
    const [first] = order;
    if (before.current.length === 0 && first !== undefined && selection.active === null) {
      before.current = order;
      return lost ? select(view, only(first)) : view.shown.setState({ selection: only(first) });
    }
    const gone = before.current.filter((key) => !order.includes(key));
    const away = new Set([...gone, ...view.observed.folds().hidden]);
    const next = gone.length > 0 ? without(selection, before.current, away) : selection;
    before.current = order;
    if (next === selection) return;
    if (lost) select(view, next);
    else view.shown.setState({ selection: next });
  }, [order, view]);
}

/** The way on at the end. */
function Add({ after }: { after: string | null }) {
  const view = useNotebook();
  const add = (kind: string) => edit(view, insertAfter(view, after, emptyCell(kind)));
  return (
    <div className={styles.add}>
      <Button look="quiet" icon="plus" onClick={() => add('code')}>
        Code
      </Button>
      <Button look="quiet" icon="plus" onClick={() => add('markdown')}>
        Markdown
      </Button>
      <Button look="quiet" icon="plus" onClick={() => add('ai')}>
        AI
      </Button>
      <Button look="quiet" icon="plus" onClick={() => add('sql')}>
        SQL
      </Button>
      {/* A click below the last cell takes the selection to it. */}
      <button
        type="button"
        className={styles.rest}
        tabIndex={-1}
        aria-hidden="true"
        onClick={() => select(view, only(after))}
      />
    </div>
  );
}

/** Takes the keyboard from the last cell that went, so that its keys still mean the notebook: an undo, a paste. */
function Empty({ isLeft }: { isLeft: boolean }) {
  const ways = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isLeft && document.activeElement === document.body) ways.current?.querySelector('button')?.focus();
  }, [isLeft]);
  return (
    <Notice icon="fileNotebook" title="Empty notebook">
      <p>Add a code or Markdown cell to start.</p>
      <div ref={ways} data-no-cells>
        <Add after={null} />
      </div>
    </Notice>
  );
}
