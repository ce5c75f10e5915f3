// Keeps the arrangement in the layout document. A window reads it once, when it opens, and writes what it changes:
// two windows side by side don't pull at each other's panes, and the next one starts with the latest arrangement.

import { useSession } from '../app/session';
import { type LiveDocument, openDocument } from '../documents/provider';
import { followModes } from '../side/keepModes';
import { parseFrames } from './parse';
import { useFrames } from './store';

/** A guest's arrangement is theirs, and does not pull at the owner's. */
function key(): string {
  const { state } = useSession.getState();
  return state.phase === 'open' && !state.session.person.owner ? `frames:${state.session.person.id}` : 'frames';
}

/** How long to wait for the kept arrangement before starting with an empty one. */
const PATIENCE = 3000;
/** Dragging a splitter is one change. */
const PAUSE = 300;

/** Reads the kept arrangement, and keeps it from now on; tells whether there was one. */
export async function keepLayout(): Promise<boolean> {
  const { live } = openDocument({ kind: 'layout' });
  await opened(live);
  followModes(live);
  const frames = parseFrames(live.doc.getMap('layout').get(key()));
  if (frames) useFrames.setState({ frames });
  let timer: ReturnType<typeof setTimeout> | undefined;
  useFrames.subscribe((state, before) => {
    if (state.frames === before.frames) return;
    clearTimeout(timer);
    timer = setTimeout(() => live.doc.getMap('layout').set(key(), state.frames), PAUSE);
  });
  window.addEventListener('pagehide', () => live.doc.getMap('layout').set(key(), useFrames.getState().frames));
  return frames !== null;
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
