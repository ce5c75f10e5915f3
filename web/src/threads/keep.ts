// Keeps in the layout document which thread was shown last, so that a new window goes on with it.
import { openDocument } from '../documents/provider';
import { opened } from '../frames/layout';
import { useThreads } from './state';
import { isThread, showThread } from './store';

const KEY = 'thread';

/** Shows the thread that was shown last, unless this window shows one already, and keeps it from now on. */
export async function keepThread(): Promise<void> {
  const { live } = openDocument({ kind: 'layout' });
  const map = () => live.doc.getMap('layout');
  await opened(live);
  const last = map().get(KEY);
  useThreads.subscribe(({ current }, before) => {
    if (current !== before.current) map().set(KEY, current);
  });
  if (typeof last === 'string' && (await isThread(last)) && useThreads.getState().current === null) showThread(last);
}
