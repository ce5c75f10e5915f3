// The arrangement of this window, and the verbs by which everything else opens and closes things.
//
//   openFile('src/a.py', { line: 12 })    where it already shows, else in the focused pane; takes the focus there
//   openFile(path, { focus: false })      the same without moving the keyboard
//   openView({ kind: 'audit' })
import { create } from 'zustand';
import {
  activeTab,
  apply,
  emptyFrames,
  type FrameOp,
  type Frames,
  focusedPane,
  paneById,
  panesOf,
  type Side,
  tabShowing,
  type View,
} from './tree';

/** What the focused pane is asked to do once it shows its view; `count` tells a second asking from the first. */
export interface Reveal {
  line: number | null;
  /** A heading to go to, as a link names it. */
  heading: string | null;
  /** The key of a notebook's cell to go to. */
  cell: string | null;
  focus: boolean;
  count: number;
  /** When it was asked, by `performance.now()`. */
  at: number;
}

/** What is known of the arrangement. */
export interface FramesState {
  frames: Frames;
  /** The kept arrangement has been read, or there is none. */
  ready: boolean;
  /** By tab. */
  reveals: Readonly<Record<string, Reveal>>;
}

/** The arrangement, for components. */
export const useFrames = create<FramesState>(() => ({ frames: emptyFrames(newId('pane')), ready: false, reveals: {} }));

/** A fresh id for a pane, split or tab. */
export function newId(kind: 'pane' | 'split' | 'tab'): string {
  return `${kind}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Changes the arrangement. */
export function change(op: FrameOp): void {
  useFrames.setState((state) => ({ frames: apply(state.frames, op) }));
}

/** How something is shown. */
interface ShowOptions {
  line?: number;
  heading?: string;
  cell?: string;
  focus?: boolean;
  pane?: string;
}

/** Shows a file, at a line, heading or cell if one is named. */
export function openFile(path: string, options: ShowOptions = {}): void {
  openView({ kind: 'file', path }, options);
}

/** Shows a view: where it already is, else as a new tab. */
export function openView(view: View, { line, heading, cell, focus = true, pane }: ShowOptions = {}): void {
  const shown = tabShowing(useFrames.getState().frames, view);
  if (shown) change({ type: 'activate', tab: shown.tab.id });
  else change({ type: 'open', tab: { id: newId('tab'), view }, pane });
  const tab = activeTab(current());
  if (tab) reveal(tab.id, { line: line ?? null, heading: heading ?? null, cell: cell ?? null, focus });
}

/** Shows the ways to begin in a new tab of a pane, else of the focused one. */
export function openLauncher(pane = current().id): void {
  change({ type: 'focus', pane });
  change({ type: 'open', tab: { id: newId('tab'), view: { kind: 'launcher' } } });
  const tab = activeTab(current());
  if (tab) reveal(tab.id, { line: null, focus: true });
}

/** Shows a view where it is, else in another pane than the focused one: to the right of it, if there is no other. */
export function openBeside(view: View, { line, focus = true }: { line?: number; focus?: boolean } = {}): void {
  const before = current();
  const { frames } = useFrames.getState();
  const other = panesOf(frames.root).find((pane) => pane.id !== before.id);
  const tab = { id: newId('tab'), view };
  if (!tabShowing(frames, view)) {
    if (other) change({ type: 'open', tab, pane: other.id });
    else
      change({ type: 'split', pane: before.id, side: 'right', newPane: newId('pane'), newSplit: newId('split'), tab });
  }
  openView(view, { line, focus });
  if (!focus) change({ type: 'focus', pane: before.id });
}

/** Shows a view where it is, else in a pane of its own below the focused one. */
export function openBelow(view: View): void {
  const tab = { id: newId('tab'), view };
  const split = { pane: current().id, newPane: newId('pane'), newSplit: newId('split') };
  if (!tabShowing(useFrames.getState().frames, view)) change({ type: 'split', side: 'below', ...split, tab });
  openView(view);
}

/** Moves the keyboard into a pane. */
export function focusPane(id: string): void {
  change({ type: 'focus', pane: id });
  const pane = paneById(useFrames.getState().frames, id);
  if (pane?.active) reveal(pane.active, { line: null, focus: true });
}

/** Moves the keyboard into the next pane in reading order, or the one before. */
export function focusNextPane(step: 1 | -1): void {
  const panes = panesOf(useFrames.getState().frames.root);
  const at = panes.findIndex((pane) => pane.id === current().id);
  const next = panes[(at + step + panes.length) % panes.length];
  if (next) focusPane(next.id);
}

/** Splits a pane, else the focused one; the new one shows the same, or another terminal. */
export function splitPane(side: Side, id = current().id): void {
  const pane = paneById(useFrames.getState().frames, id);
  if (!pane) return;
  const tab = activeTab(pane);
  if (tab?.view.kind === 'terminal') {
    const { terminal } = tab.view;
    return void import('../terminal/open').then(({ splitTerminal }) => splitTerminal(terminal, id, side));
  }
  const copy = tab && { id: newId('tab'), view: tab.view };
  change({ type: 'split', pane: pane.id, side, newPane: newId('pane'), newSplit: newId('split'), tab: copy });
  if (copy) reveal(copy.id, { line: null, focus: true });
}

/** Closes a tab; the keyboard goes to what shows in its place. */
export function closeTab(id: string): void {
  change({ type: 'close', tab: id });
  const tab = activeTab(current());
  if (tab) reveal(tab.id, { line: null, focus: true });
}

/** Moves the focused tab within its pane, and at the edge into the next one. */
export function moveFocusedTab(step: 1 | -1): void {
  const pane = current();
  if (pane.active === null) return;
  const at = pane.tabs.findIndex((tab) => tab.id === pane.active);
  const panes = panesOf(useFrames.getState().frames.root);
  const neighbour = panes[panes.indexOf(pane) + step];
  if (pane.tabs[at + step]) change({ type: 'move', tab: pane.active, pane: pane.id, index: at + step });
  else if (neighbour) {
    change({ type: 'move', tab: pane.active, pane: neighbour.id, index: step > 0 ? 0 : neighbour.tabs.length });
  }
  reveal(pane.active, { line: null, focus: true });
}

/** What the focused pane shows. */
export function focusedView(): View | undefined {
  return activeTab(current())?.view;
}

/** The tab that has the attention. */
export function focusedTab(): string | null {
  return current().active;
}

function current() {
  return focusedPane(useFrames.getState().frames);
}

function reveal(tab: string, wish: Pick<Reveal, 'line' | 'focus'> & Partial<Pick<Reveal, 'heading' | 'cell'>>): void {
  useFrames.setState(({ reveals }) => ({
    reveals: {
      ...reveals,
      [tab]: { heading: null, cell: null, ...wish, count: (reveals[tab]?.count ?? 0) + 1, at: performance.now() },
    },
  }));
}
