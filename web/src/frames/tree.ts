// The frame tree: splits of panes, panes of tabs. A pure reducer; whoever keeps it is store.ts.
//
//   Frame = Pane | Split      a split has at least two frames; sizes add up to 1
//   Pane                      has tabs, one of them active, or none (then it shows the empty pane)
import { insertBeside, removePane, replacePane, shares } from './nodes';

/** The views that exist once, each with a page of its own. */
export const PAGES = [
  'audit',
  'needs_you',
  'tasks',
  'todos',
  'models',
  'policy',
  'grants',
  'programs',
  'problems',
  'history',
  'settings',
  'statistics',
  'coverage',
  'launcher',
] as const;

/** One of them. */
export type Page = (typeof PAGES)[number];

/** What a tab shows: a file, a task, a terminal, two texts beside each other, or a page. */
export type View =
  | { kind: 'file'; path: string }
  | { kind: 'task'; task: string }
  | { kind: 'terminal'; terminal: string }
  | { kind: 'compare'; of: string }
  | { kind: Page };

/** Tells whether a word names a page. */
export function isPage(word: unknown): word is Page {
  return (PAGES as readonly unknown[]).includes(word);
}

/** One tab. */
export interface Tab {
  id: string;
  view: View;
}

/** Tabs in one place. */
export interface Pane {
  kind: 'pane';
  id: string;
  tabs: Tab[];
  /** Id of the tab that shows; null when there is none. */
  active: string | null;
}

/** Frames side by side (`row`) or one above the other (`column`). */
export interface Split {
  kind: 'split';
  id: string;
  direction: 'row' | 'column';
  frames: Frame[];
  sizes: number[];
}

/** A part of the screen. */
export type Frame = Pane | Split;

/** The arrangement: the tree and the pane that has the person's attention. */
export interface Frames {
  root: Frame;
  focused: string;
}

/** Where a pane is split: the new one comes to the right or below. */
export type Side = 'right' | 'below';

/** Everything that can happen to the arrangement. Ids of new things come with the operation. */
export type FrameOp =
  | { type: 'open'; tab: Tab; pane?: string }
  | { type: 'close'; tab: string }
  | { type: 'activate'; tab: string }
  | { type: 'focus'; pane: string }
  | { type: 'move'; tab: string; pane: string; index: number }
  | { type: 'split'; pane: string; side: Side; newPane: string; newSplit: string; tab?: Tab; moved?: string }
  | { type: 'resize'; split: string; sizes: number[] }
  | { type: 'close_pane'; pane: string }
  | { type: 'renamed'; from: string; to: string };

/** An arrangement of one empty pane. */
export function emptyFrames(pane: string): Frames {
  return { root: { kind: 'pane', id: pane, tabs: [], active: null }, focused: pane };
}

/** All panes, in reading order. */
export function panesOf(frame: Frame): Pane[] {
  return frame.kind === 'pane' ? [frame] : frame.frames.flatMap(panesOf);
}

/** The pane with that id. */
export function paneById(frames: Frames, id: string): Pane | undefined {
  return panesOf(frames.root).find((pane) => pane.id === id);
}

/** The pane that has the person's attention. */
export function focusedPane(frames: Frames): Pane {
  const panes = panesOf(frames.root);
  return panes.find((pane) => pane.id === frames.focused) ?? (panes[0] as Pane);
}

/** The tab that shows in a pane. */
export function activeTab(pane: Pane): Tab | undefined {
  return pane.tabs.find((tab) => tab.id === pane.active);
}

/** The first tab that shows the same thing, the focused pane's before others'. */
export function tabShowing(frames: Frames, view: View): { pane: Pane; tab: Tab } | undefined {
  for (const pane of [focusedPane(frames), ...panesOf(frames.root)]) {
    const tab = pane.tabs.find((tab) => sameView(tab.view, view));
    if (tab) return { pane, tab };
  }
  return undefined;
}

/** Tells whether two tabs would show the same. */
export function sameView(a: View, b: View): boolean {
  if (a.kind === 'file') return b.kind === 'file' && a.path === b.path;
  if (a.kind === 'task') return b.kind === 'task' && a.task === b.task;
  if (a.kind === 'terminal') return b.kind === 'terminal' && a.terminal === b.terminal;
  if (a.kind === 'compare') return b.kind === 'compare' && a.of === b.of;
  return a.kind === b.kind;
}

/** The path something has after `from` became `to`; a folder takes along what is in it. */
export function movedPath(path: string, from: string, to: string): string {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
}

/** Returns the arrangement after an operation; the same object if it changes nothing. */
export function apply(frames: Frames, op: FrameOp): Frames {
  switch (op.type) {
    case 'open':
      return open(frames, op.tab, op.pane ?? frames.focused);
    case 'close':
      return close(frames, op.tab);
    case 'activate':
      return activate(frames, op.tab);
    case 'focus':
      return paneById(frames, op.pane) && frames.focused !== op.pane ? { ...frames, focused: op.pane } : frames;
    case 'move':
      return move(frames, op.tab, op.pane, op.index);
    case 'split':
      return split(frames, op);
    case 'resize':
      return { ...frames, root: resize(frames.root, op.split, op.sizes) };
    case 'close_pane':
      return closePane(frames, op.pane);
    case 'renamed':
      return { ...frames, root: rename(frames.root, op.from, op.to) };
  }
}

function open(frames: Frames, tab: Tab, paneId: string): Frames {
  const pane = paneById(frames, paneId) ?? focusedPane(frames);
  const shown = pane.tabs.find((other) => sameView(other.view, tab.view));
  if (shown) return activate(frames, shown.id);
  const at = pane.tabs.findIndex((other) => other.id === pane.active) + 1;
  // The ways to begin make way for what was begun.
  const taken = pane.tabs[at - 1]?.view.kind === 'launcher' ? 1 : 0;
  const tabs = pane.tabs.toSpliced(at - taken, taken, tab);
  return { root: replacePane(frames.root, { ...pane, tabs, active: tab.id }), focused: pane.id };
}

function close(frames: Frames, tabId: string): Frames {
  const pane = paneOf(frames, tabId);
  if (!pane) return frames;
  const left = withoutTab(pane, tabId);
  return left.tabs.length > 0 ? { ...frames, root: replacePane(frames.root, left) } : closePane(frames, pane.id);
}

/** Takes a pane away; the last one stays, without tabs. */
function closePane(frames: Frames, paneId: string): Frames {
  const root = removePane(frames.root, paneId) ?? emptyFrames(paneId).root;
  return settle({ ...frames, root });
}

function activate(frames: Frames, tabId: string): Frames {
  const pane = paneOf(frames, tabId);
  if (!pane || (pane.active === tabId && frames.focused === pane.id)) return frames;
  return { root: replacePane(frames.root, { ...pane, active: tabId }), focused: pane.id };
}

function move(frames: Frames, tabId: string, paneId: string, index: number): Frames {
  const from = paneOf(frames, tabId);
  const tab = from?.tabs.find((tab) => tab.id === tabId);
  if (!from || !tab || !paneById(frames, paneId)) return frames;
  let root = replacePane(frames.root, withoutTab(from, tabId));
  const to = panesOf(root).find((pane) => pane.id === paneId) as Pane;
  // Two tabs of one pane never show the same: the tab that comes takes the other's place.
  const others = to.tabs.filter((other) => !sameView(other.view, tab.view));
  root = replacePane(root, { ...to, tabs: others.toSpliced(index, 0, tab), active: tabId });
  if (from.id !== paneId && from.tabs.length === 1) root = removePane(root, from.id) ?? root;
  return { root, focused: paneId };
}

function split(frames: Frames, op: Extract<FrameOp, { type: 'split' }>): Frames {
  const pane = paneById(frames, op.pane);
  if (!pane) return frames;
  const added: Pane = { kind: 'pane', id: op.newPane, tabs: op.tab ? [op.tab] : [], active: op.tab?.id ?? null };
  const direction = op.side === 'right' ? 'row' : 'column';
  const next = { root: insertBeside(frames.root, pane.id, direction, added, op.newSplit), focused: added.id };
  return op.moved ? move(next, op.moved, added.id, 0) : next;
}

function resize(frame: Frame, id: string, sizes: number[]): Frame {
  if (frame.kind === 'pane') return frame;
  if (frame.id !== id) return { ...frame, frames: frame.frames.map((child) => resize(child, id, sizes)) };
  if (sizes.length !== frame.sizes.length || sizes.some((size) => !(size > 0))) return frame;
  return { ...frame, sizes: shares(sizes) };
}

function rename(frame: Frame, from: string, to: string): Frame {
  if (frame.kind === 'split') return { ...frame, frames: frame.frames.map((child) => rename(child, from, to)) };
  const renamed = (tab: Tab): Tab =>
    tab.view.kind === 'file' ? { ...tab, view: { kind: 'file', path: movedPath(tab.view.path, from, to) } } : tab;
  return { ...frame, tabs: frame.tabs.map(renamed) };
}

/** Moves the attention to a pane that exists. */
function settle(frames: Frames): Frames {
  return { ...frames, focused: focusedPane(frames).id };
}

function paneOf(frames: Frames, tabId: string): Pane | undefined {
  return panesOf(frames.root).find((pane) => pane.tabs.some((tab) => tab.id === tabId));
}

function withoutTab(pane: Pane, tabId: string): Pane {
  const at = pane.tabs.findIndex((tab) => tab.id === tabId);
  const tabs = pane.tabs.toSpliced(at, 1);
  if (pane.active !== tabId) return { ...pane, tabs };
  return { ...pane, tabs, active: (tabs[at] ?? tabs[at - 1])?.id ?? null };
}
