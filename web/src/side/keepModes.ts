// The choices of what is beside each document, in the layout document: one entry a path.
import type { LiveDocument } from '../documents/provider';
import { keepModes, learnMode, type SideMode } from './modes';

const PREFIX = 'side:';

/** Reads what is kept, follows what other windows choose, and keeps what is chosen here. */
export function followModes(live: LiveDocument): void {
  let observed: object | null = null;
  const bind = () => {
    if (live.doc === observed) return;
    observed = live.doc;
    const map = live.doc.getMap('layout');
    const learn = (key: string) => {
      const mode = map.get(key);
      if (key.startsWith(PREFIX) && isMode(mode)) learnMode(key.slice(PREFIX.length), mode);
    };
    for (const key of map.keys()) learn(key);
    map.observe((event) => event.keysChanged.forEach(learn));
  };
  bind();
  live.status.subscribe(bind);
  keepModes((path, mode) => {
    const map = live.doc.getMap('layout');
    if (map.get(PREFIX + path) !== mode) map.set(PREFIX + path, mode);
  });
}

/** Nobody has to be believed: another window may be of another version. */
function isMode(value: unknown): value is SideMode {
  return typeof value === 'string' && ['assistant', 'chat', 'history', 'outline', 'links'].includes(value);
}
