// Opening a hit at its place.
import { openFile } from '../frames/store';
import type { SearchHit, ThreadId, TurnId } from '../wire/gen/types';

/** Opens a hit at its line, cell, page or message. */
export function goToHit({ path, kind, line, title, said }: SearchHit): void {
  if (kind === 'thread') {
    const thread = path.replace(/^thread\//, '') as ThreadId;
    void import('../threads/openThread').then(({ openThread }) => openThread(thread, said as TurnId));
  } else if (kind === 'chat') {
    // Its title is the path of its document.
    void import('../chat/openChat').then(({ openChat }) => openChat(title, said));
  } else openFile(path, { line });
}
