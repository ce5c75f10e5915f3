// The arrangement of this window, and the verbs by which everything else opens and closes things.
//
//   openFile('src/a.py', { line: 12 })    where it already shows, else in the focused pane
//   openView({ kind: 'audit' })
import { create } from 'zustand';
import {
  activeTab,
  apply,
  emptyFrames,
  type FrameOp,
  type Frames,
  focusedPane,
  type Side,
  tabShowing,
  type View,
} from './tree';

/** A line that the pane of a file is asked to show; `count` tells a second asking from the first. */
export interface Reveal {
  path: string;
  line: number;
  count: number;
}

interface FramesState {
  frames: Frames;
  /** The kept arrangement has been read, or there is none. */
  ready: boolean;
  reveal: Reveal | null;
}

/** The arrangement, for components. */
export const useFrames = create<FramesState>(() => ({
  frames: emptyFrames(newId('pane')),
  ready: false,
  reveal: null,
}));

/** A fresh id for a pane, split or tab. */
export function newId(kind: 'pane' | 'split' | 'tab'): string {
  return `${kind}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Changes the arrangement. */
export function change(op: FrameOp): void {
  useFrames.setState((state) => ({ frames: apply(state.frames, op) }));
}

/** Shows a file, at a line if one is named. */
export function openFile(path: string, options: { line?: number; pane?: string } = {}): void {
  openView({ kind: 'file', path }, options.pane);
  if (options.line) {
    const { line } = options;
    useFrames.setState((state) => ({ reveal: { path, line, count: (state.reveal?.count ?? 0) + 1 } }));
  }
}

/** Shows a view: where it already is, else as a new tab. */
export function openView(view: View, pane?: string): void {
  const shown = pane ? undefined : tabShowing(useFrames.getState().frames, view);
  if (shown) change({ type: 'activate', tab: shown.tab.id });
  else change({ type: 'open', tab: { id: newId('tab'), view }, pane });
}

/** Splits the focused pane; the new one shows the same. */
export function splitFocused(side: Side): void {
  const pane = focusedPane(useFrames.getState().frames);
  const tab = activeTab(pane);
  const copy = tab && { id: newId('tab'), view: tab.view };
  change({ type: 'split', pane: pane.id, side, newPane: newId('pane'), newSplit: newId('split'), tab: copy });
}

/** What the focused pane shows. */
export function focusedView(): View | undefined {
  return activeTab(focusedPane(useFrames.getState().frames))?.view;
}
