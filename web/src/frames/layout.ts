// Keeps the arrangement in the layout document. A window reads it once, when it opens, and writes what it changes:
// two windows side by side don't pull at each other's panes, and the next one starts with the latest arrangement.

import { useSession } from '../app/session';
import { type LiveDocument, openDocument } from '../documents/provider';
import { followModes } from '../side/keepModes';
import { parseFrames } from './parse';
import { openView, useFrames } from './store';
import { type Frames, focusedPane, panesOf } from './tree';

/** A guest's arrangement is kept in their browser: the layout document is the owner's, whom they can't rearrange. */
const GUEST_KEY = 'aside.frames';

/** Milliseconds to wait for the kept arrangement before the window starts without it. */
const PATIENCE = 3000;
/** Milliseconds: dragging a splitter is one change. */
const PAUSE = 300;

/** Where an arrangement is kept. */
interface Kept {
  get(): unknown;
  set(frames: Frames): void;
}

/** Reads the kept arrangement, and keeps it from now on; tells whether there is one, or may be. */
export async function keepLayout(): Promise<boolean> {
  const { live } = openDocument({ kind: 'layout' });
  const arrived = whenOpened(live).then(() => (isGuest() ? inBrowser : inDocument(live)));
  const inTime = await Promise.race([arrived, patience()]);
  followModes(live);
  if (inTime === null) {
    // Nothing is written before the kept arrangement is here: this window knows only a part of it.
    void arrived.then((kept) => {
      adopt(parseFrames(kept.get()));
      follow(kept);
    });
    return true;
  }
  const frames = parseFrames(inTime.get());
  adopt(frames);
  follow(inTime);
  return frames !== null;
}

/** Writes each change of this window. */
function follow(kept: Kept): void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const write = () => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    kept.set(useFrames.getState().frames);
  };
  useFrames.subscribe((state, before) => {
    if (state.frames === before.frames) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(write, PAUSE);
  });
  // A window that changed nothing leaves the arrangement to the others.
  window.addEventListener('pagehide', write);
}

/** Takes the kept arrangement, and opens in it what was opened meanwhile. */
function adopt(frames: Frames | null): void {
  if (!frames) return;
  const { frames: before } = useFrames.getState();
  const last = focusedPane(before).active;
  const tabs = panesOf(before.root).flatMap((pane) => pane.tabs);
  // The one that was looked at comes last.
  tabs.sort((one, other) => Number(one.id === last) - Number(other.id === last));
  useFrames.setState({ frames });
  for (const { view } of tabs) openView(view, { focus: false });
}

function inDocument(live: LiveDocument): Kept {
  const map = () => live.doc.getMap('layout');
  return { get: () => map().get('frames'), set: (frames) => map().set('frames', frames) };
}

const inBrowser: Kept = {
  get: () => {
    try {
      return JSON.parse(localStorage.getItem(GUEST_KEY) ?? 'null');
    } catch {
      return null;
    }
  },
  set: (frames) => localStorage.setItem(GUEST_KEY, JSON.stringify(frames)),
};

function isGuest(): boolean {
  const { state } = useSession.getState();
  return state.phase === 'open' && !state.session.person.owner;
}

/** Returns when the document is here, or when it has been waited for long enough. */
export async function opened(live: LiveDocument): Promise<void> {
  await Promise.race([whenOpened(live), patience()]);
}

const patience = (): Promise<null> => new Promise((late) => setTimeout(() => late(null), PATIENCE));

/** Returns when the document is here, or can't be opened. */
function whenOpened(live: LiveDocument): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (live.status.getState().phase === 'opening') return;
      stop();
      resolve();
    };
    const stop = live.status.subscribe(check);
    check();
  });
}
