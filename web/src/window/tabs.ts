// Many tabs at once: closing, opening again in their places, ordering. Pure.
import { removePane, replacePane } from '../frames/nodes';
import {
  apply,
  type Frame,
  type Frames,
  isPage,
  type Pane,
  panesOf,
  sameView,
  type Tab,
  type View,
} from '../frames/tree';

/** A tab that was closed, and its place. */
export interface ClosedTab {
  tab: Tab;
  pane: string;
  /** From 0, among all tabs that the pane had. */
  index: number;
  /** The pane showed it. */
  active: boolean;
}

/** Tabs that were closed together, and the arrangement that they had. */
export interface Closing {
  tabs: ClosedTab[];
  root: Frame;
}

/** How a tab and its place go over the wire. */
export interface PlacedTab {
  id: string;
  path: string;
  shows: 'file' | 'task' | 'page';
  pane: string;
  index: number;
  active?: boolean;
}

/** Returns the arrangement without some tabs. */
export function closeTabs(frames: Frames, ids: ReadonlySet<string>): Frames {
  return [...ids].reduce((next, tab) => apply(next, { type: 'close', tab }), frames);
}

/** Returns the places of the tabs that `after` does not have any more. */
export function closedBetween(before: Frames, after: Frames): ClosedTab[] {
  const left = new Set(panesOf(after.root).flatMap((pane) => pane.tabs.map((tab) => tab.id)));
  return panesOf(before.root).flatMap((pane) =>
    pane.tabs.flatMap((tab, index) =>
      left.has(tab.id) ? [] : [{ tab, pane: pane.id, index, active: tab.id === pane.active }],
    ),
  );
}

/** Returns the arrangement with closed tabs in their places again, and which of them were put back. A tab that is open, or
 *  whose pane shows the same, is left out. Panes that are gone come back where one of `shapes`, the latest last, knows them. */
export function reopenTabs(
  frames: Frames,
  closed: readonly ClosedTab[],
  shapes: readonly Frame[],
): { frames: Frames; reopened: ClosedTab[] } {
  const wanted = closed.filter((one) => !isOpen(frames, one));
  const [first] = wanted;
  if (!first) return { frames, reopened: [] };
  const root = withPanes(frames.root, new Set(wanted.map((one) => one.pane)), shapes);
  const there = { root, focused: frames.focused };
  const next = wanted.toSorted((one, two) => one.index - two.index).reduce(putBack, there);
  return { frames: settled(next), reopened: wanted };
}

/** Returns the arrangement with the tabs of each pane in this order. Tabs that are not named keep their places. */
export function orderTabs(frames: Frames, order: readonly string[]): Frames {
  const place = new Map(order.map((id, index) => [id, index]));
  const sorted = (pane: Pane): Pane => {
    const named = pane.tabs.filter((tab) => place.has(tab.id));
    named.sort((one, two) => (place.get(one.id) ?? 0) - (place.get(two.id) ?? 0));
    return { ...pane, tabs: pane.tabs.map((tab) => (place.has(tab.id) ? (named.shift() ?? tab) : tab)) };
  };
  return { ...frames, root: panesOf(frames.root).reduce((root, pane) => replacePane(root, sorted(pane)), frames.root) };
}

/** Returns the address of a view: the path of a file, else what the URL has. */
export function addressOf(view: View): Pick<PlacedTab, 'path' | 'shows'> {
  if (view.kind === 'file') return { path: view.path, shows: 'file' };
  if (view.kind === 'task') return { path: `task/${view.task}`, shows: 'task' };
  if (view.kind === 'terminal') return { path: `terminal/${view.terminal}`, shows: 'page' };
  if (view.kind === 'compare') return { path: `compare/${view.of}`, shows: 'page' };
  return { path: view.kind, shows: 'page' };
}

/** Returns a closed tab as it goes over the wire. */
export function placed({ tab, pane, index, active }: ClosedTab): PlacedTab {
  return { id: tab.id, ...addressOf(tab.view), pane, index, ...(active && { active }) };
}

/** Reads a tab that came over the wire; null if this version does not know what it shows. */
export function unplaced({ id, path, shows, pane, index, active = false }: PlacedTab): ClosedTab | null {
  const view = viewOf(path, shows);
  return view && { tab: { id, view }, pane, index, active };
}

function viewOf(path: string, shows: PlacedTab['shows']): View | null {
  if (shows === 'file') return { kind: 'file', path };
  if (shows === 'task') return { kind: 'task', task: path.replace(/^task\//, '') };
  if (path.startsWith('terminal/')) return { kind: 'terminal', terminal: path.slice('terminal/'.length) };
  if (path.startsWith('compare/')) return { kind: 'compare', of: path.slice('compare/'.length) };
  return isPage(path) ? { kind: path } : null;
}

function isOpen(frames: Frames, { tab, pane }: ClosedTab): boolean {
  return panesOf(frames.root).some((other) =>
    other.tabs.some(({ id, view }) => id === tab.id || (other.id === pane && sameView(view, tab.view))),
  );
}

/** Adds the panes that are gone, empty, where an earlier arrangement had them; as it is if none fits what is there now. */
function withPanes(root: Frame, wanted: ReadonlySet<string>, shapes: readonly Frame[]): Frame {
  const now = new Map(panesOf(root).map((pane) => [pane.id, pane]));
  if ([...wanted].every((id) => now.has(id))) return root;
  const shape = shapes.findLast((shape) => {
    const ids = new Set(panesOf(shape).map((pane) => pane.id));
    return [...now.keys(), ...wanted].every((id) => ids.has(id));
  });
  if (!shape) return root;
  return panesOf(shape).reduce((next: Frame, { id }) => {
    const pane = now.get(id) ?? (wanted.has(id) ? ({ kind: 'pane', id, tabs: [], active: null } as Pane) : null);
    return pane ? replacePane(next, pane) : (removePane(next, id) ?? next);
  }, shape);
}

function putBack(frames: Frames, { tab, pane: id, index, active }: ClosedTab): Frames {
  const panes = panesOf(frames.root);
  const pane = panes.find((pane) => pane.id === id) ?? panes.find((pane) => pane.id === frames.focused) ?? panes[0];
  if (!pane) return frames;
  const tabs = pane.tabs.toSpliced(index, 0, tab);
  const shown = active || pane.active === null ? tab.id : pane.active;
  return { ...frames, root: replacePane(frames.root, { ...pane, tabs, active: shown }) };
}

/** Puts the attention on a pane that is there. */
function settled(frames: Frames): Frames {
  const panes = panesOf(frames.root);
  return panes.some((pane) => pane.id === frames.focused) ? frames : { ...frames, focused: panes[0]?.id ?? '' };
}
