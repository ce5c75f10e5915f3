// The things that actions do in this window, by name. The server has checked the arguments, and has chosen the tabs.
import { toggleRegion, useShell } from '../app/shell';
import { change, focusedView, newId, openBelow, openFile, openView, useFrames } from '../frames/store';
import { activeTab, type Frames, focusedPane, isPage, type Page, panesOf, type Side, type Tab } from '../frames/tree';
import { type SideMode, showSide } from '../side/modes';
import { toast } from '../ui/Toast';
import { reopen, reopenLast } from './closed';
import { isBeingFilled } from './forms';
import { keepingKeyboard } from './keyboard';
import { addressOf, closedBetween, closeTabs, orderTabs, type PlacedTab, placed, unplaced } from './tabs';
import { usedAt } from './used';

/** Something that this window can't do, with the code of the failure. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

type Handler<Args> = (args: Args) => unknown;

type Visibility = 'show' | 'hide';

interface Place {
  /** Of a program beside Aside. */
  address?: string;
  page?: Page;
  path?: string;
  line?: number;
  heading?: string;
  cell?: string;
}

/** By name of the action. */
export const HANDLERS = {
  'ui.open': ({ path, line }: { path: string; line?: number }) => {
    keepingKeyboard(() => openFile(path, { line, focus: false }));
    return { opened: path };
  },
  'ui.tabs.list': () => ({ tabs: listTabs() }),
  'ui.tabs.open': ({ paths }: { paths: string[] }) => {
    const before = ids();
    keepingKeyboard(() => {
      for (const path of paths) openFile(path, { focus: false });
    });
    return { opened: [...ids()].filter((id) => !before.has(id)) };
  },
  'ui.tabs.close': ({ tabs }: { tabs: string[] }) => {
    const { frames: before } = useFrames.getState();
    const pages = new Set(pagesOf(before));
    const closing = tabs.filter((tab) => !(pages.has(tab) && isBeingFilled(tab)));
    keepingKeyboard(() => useFrames.setState({ frames: closeTabs(before, new Set(closing)) }));
    return { closed: closedBetween(before, useFrames.getState().frames).map(placed) };
  },
  'ui.tabs.reopen': ({ tabs }: { tabs?: PlacedTab[] }) => {
    const known = tabs?.map(unplaced).filter((tab) => tab !== null);
    const reopened = keepingKeyboard(() => (known ? reopen(known) : reopenLast()));
    if (!known && reopened.length === 0) throw new Refused('nothing_closed', 'No tab was closed in this window.');
    return { reopened: reopened.map(placed) };
  },
  'ui.tabs.reorder': ({ order }: { order: string[] }) => {
    useFrames.setState(({ frames }) => ({ frames: orderTabs(frames, order) }));
    return {};
  },
  'ui.tabs.focus': ({ tab }: { tab: string }) => {
    keepingKeyboard(() => {
      change({ type: 'activate', tab });
      const view = focusedView();
      if (view) openView(view, { focus: false });
    });
    return {};
  },
  'ui.split': ({ direction, path }: { direction: 'right' | 'down'; path?: string }) => ({
    opened: split(direction === 'right' ? 'right' : 'below', path),
  }),
  'ui.layout': ({ sidebar, side }: { sidebar?: Visibility; side?: Visibility }) => {
    const before = regions();
    // The one that goes makes room for the one that comes.
    const wanted = [['nav', sidebar] as const, ['side', side] as const].filter(([, to]) => to !== undefined);
    for (const [region, to] of wanted.toSorted(([, one]) => (one === 'hide' ? -1 : 1)))
      toggleRegion(region, to === 'show');
    return { before, now: regions() };
  },
  'ui.go': (place: Place) => {
    keepingKeyboard(() => go(place));
    return {};
  },
  'ui.panel': ({ panel }: { panel: SideMode }) => {
    showSide(panel);
    return {};
  },
} satisfies Record<string, Handler<never>>;

/** The handler of an action, if this window has one. */
export function handlerOf(action: string): Handler<unknown> | undefined {
  return Object.hasOwn(HANDLERS, action) ? (HANDLERS[action as keyof typeof HANDLERS] as Handler<unknown>) : undefined;
}

function listTabs() {
  const { frames } = useFrames.getState();
  return panesOf(frames.root).flatMap((pane, index) =>
    pane.tabs.map((tab) => ({
      id: tab.id,
      ...addressOf(tab.view),
      pane: index + 1,
      used: usedAt(tab.id),
      active: tab.id === pane.active && pane.id === frames.focused,
      shown: tab.id === pane.active,
    })),
  );
}

function ids(): Set<string> {
  return new Set(panesOf(useFrames.getState().frames.root).flatMap((pane) => pane.tabs.map((tab) => tab.id)));
}

/** The tabs that show no file. */
function pagesOf({ root }: Frames): string[] {
  const tabs = panesOf(root).flatMap((pane) => pane.tabs);
  return tabs.filter(({ view }) => view.kind !== 'file').map(({ id }) => id);
}

/** Splits the focused pane; returns the tab in the new one, if it has one. */
function split(side: Side, path?: string): string | null {
  const pane = focusedPane(useFrames.getState().frames);
  const shown = activeTab(pane)?.view;
  // One terminal twice is of no use, and whoever asked for a split did not ask for a shell.
  const same = shown?.kind === 'terminal' ? undefined : shown;
  const view = path === undefined ? same : ({ kind: 'file', path } as const);
  const tab: Tab | undefined = view && { id: newId('tab'), view };
  const made = { newPane: newId('pane'), newSplit: newId('split') };
  keepingKeyboard(() => change({ type: 'split', pane: pane.id, side, ...made, tab }));
  return tab?.id ?? null;
}

function regions(): Record<'sidebar' | 'side', Visibility> {
  const { nav, side } = useShell.getState();
  return { sidebar: nav ? 'show' : 'hide', side: side ? 'show' : 'hide' };
}

function go({ address, page, path, ...place }: Place): void {
  if (address !== undefined) return openBeside(address);
  if (page !== undefined) {
    if (!isPage(page)) throw new Refused('not_found', `This window has no page “${page}”.`);
    if (page === 'problems') openBelow({ kind: page });
    else openView({ kind: page }, { focus: false });
    return;
  }
  const view = activeTab(focusedPane(useFrames.getState().frames))?.view;
  const file = path ?? (view?.kind === 'file' ? view.path : undefined);
  if (file === undefined) throw new Refused('no_file', 'No file is active in this window.');
  openFile(file, { ...place, focus: false });
}

/** Opens an address in a new tab of the browser, or offers to if the browser wants a press for that. */
function openBeside(address: string): void {
  const opened = window.open(address, '_blank');
  if (opened) opened.opener = null;
  else toast('The browser kept JupyterLab from opening', { label: 'Open', run: () => window.open(address, '_blank') });
}
