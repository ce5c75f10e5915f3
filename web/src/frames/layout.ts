// Keeps the arrangement in the layout document. A window reads it once, when it opens, and writes what it changes:
// two windows side by side don't pull at each other's panes, and the next one starts with the latest arrangement.

import { useSession } from '../app/session';
import { type LiveDocument, openDocument } from '../documents/provider';
import { followModes } from '../side/keepModes';
import { parseFrames } from './parse';
import { useFrames } from './store';
import type { Frames } from './tree';

/** A guest's arrangement is kept in their browser: the layout document is the owner's, whom they can't rearrange. */
const GUEST_KEY = 'aside.frames';

/** How long to wait for the kept arrangement before starting with an empty one. */
const PATIENCE = 3000;
/** Dragging a splitter is one change. */
const PAUSE = 300;

/** Where an arrangement is kept. */
interface Kept {
  get(): unknown;
  set(frames: Frames): void;
}

/** Reads the kept arrangement, and keeps it from now on; tells whether there was one. */
export async function keepLayout(): Promise<boolean> {
  const { live } = openDocument({ kind: 'layout' });
  await opened(live);
  followModes(live);
  const kept = isGuest() ? inBrowser : inDocument(live);
  const frames = parseFrames(kept.get());
  if (frames) useFrames.setState({ frames });
  let timer: ReturnType<typeof setTimeout> | undefined;
  useFrames.subscribe((state, before) => {
    if (state.frames === before.frames) return;
    clearTimeout(timer);
    timer = setTimeout(() => kept.set(state.frames), PAUSE);
  });
  window.addEventListener('pagehide', () => kept.set(useFrames.getState().frames));
  return frames !== null;
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

/** Returns when what was kept is here, or when it has been waited for long enough. */
export function opened(live: LiveDocument): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE);
    const check = () => {
      if (live.status.getState().phase === 'opening') return;
      clearTimeout(timer);
      stop();
      resolve();
    };
    const stop = live.status.subscribe(check);
    check();
  });
}
