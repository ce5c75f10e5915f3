// What the side shows beside each document: the assistant, or what people say. Kept in the layout document, so that
// every window follows a switch and a restart keeps it.
import { create } from 'zustand';
import { isGuest, useSession } from '../app/session';
import { toggleRegion } from '../app/shell';
import { useFrames } from '../frames/store';
import { activeTab, type Frames, focusedPane, movedPath, panesOf } from '../frames/tree';

/** What the side can show. */
export type SideMode = 'assistant' | 'chat' | 'history' | 'outline' | 'links';

/** By path; what is not named shows the assistant. */
export const useSideModes = create<{
  modes: ReadonlyMap<string, SideMode>;
  /** The file that had the person's attention last, while it is open. */
  last: string | null;
}>(() => ({ modes: new Map(), last: null }));

type Keep = (path: string, mode: SideMode) => void;

// Until the layout document is here, a choice holds for this window.
let keep: Keep = () => {};

/** Keeps choices somewhere from now on. */
export function keepModes(keeper: Keep): void {
  keep = keeper;
}

/** Chooses what is beside a document, for all who look at it. */
export function setSideMode(path: string | null, mode: SideMode): void {
  learnMode(path ?? '', mode);
  if (path !== null) keep(path, mode);
}

/** Takes in what was chosen, here or in another window. */
export function learnMode(path: string, mode: SideMode): void {
  useSideModes.setState(({ modes }) => ({ modes: new Map(modes).set(path, mode) }));
}

/** The document that the side is about: the one with the person's attention, or that had it before a page took it. */
export function useSideDocument(): string | null {
  const focused = useFrames(({ frames }) => fileIn(frames));
  const last = useSideModes((state) => state.last);
  const isOpen = useFrames(({ frames }) => last !== null && openFiles(frames).includes(last));
  return focused ?? (isOpen ? last : null);
}

/** The same, for whoever is no component. */
export function sideDocument(): string | null {
  const { frames } = useFrames.getState();
  const { last } = useSideModes.getState();
  return fileIn(frames) ?? (last !== null && openFiles(frames).includes(last) ? last : null);
}

/** What is beside a document. A guest has the chat, and the outline of a note. */
export function useSideMode(path: string | null): SideMode {
  const mode = useSideModes(({ modes }) => modes.get(path ?? '') ?? 'assistant');
  const guest = useIsGuest();
  return guest && mode !== 'outline' ? 'chat' : mode;
}

/** Whether the person at this page is a guest of the workspace. */
export function useIsGuest(): boolean {
  return useSession(({ state }) => isGuest(state));
}

/** Shows the side with one of them in it. */
export function showSide(mode: SideMode): void {
  toggleRegion('side', true);
  setSideMode(sideDocument(), mode);
}

/** Somebody wants to write in the chat, which may have to be loaded first. */
let wanted = false;

/** Shows the chat with the keyboard in it. */
export function writeInChat(): void {
  showSide('chat');
  wanted = true;
  requestAnimationFrame(() => window.dispatchEvent(new Event('aside:say')));
}

/** Tells once that somebody wants to write in the chat. */
export function takeWish(): boolean {
  const was = wanted;
  wanted = false;
  return was;
}

// A page that takes the attention leaves the side with the file before it.
useFrames.subscribe(({ frames }, before) => {
  if (frames === before.frames) return;
  const file = fileIn(frames);
  if (file !== null && file !== useSideModes.getState().last) useSideModes.setState({ last: file });
});

/** Has what was chosen go along with a file or folder that has another name. */
export function moveModes(from: string, to: string): void {
  for (const [path, mode] of useSideModes.getState().modes) {
    const moved = movedPath(path, from, to);
    if (moved !== path && path !== '') setSideMode(moved, mode);
  }
}

function fileIn(frames: Frames): string | null {
  const view = activeTab(focusedPane(frames))?.view;
  return view?.kind === 'file' ? view.path : null;
}

function openFiles(frames: Frames): string[] {
  const tabs = panesOf(frames.root).flatMap((pane) => pane.tabs);
  return tabs.flatMap(({ view }) => (view.kind === 'file' ? [view.path] : []));
}
