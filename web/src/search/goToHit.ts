// Opening a hit at its place.
import { openFile } from '../frames/store';
import { showSide } from '../side/modes';
import type { SearchHit, ThreadId } from '../wire/gen/types';

/** Opens a hit at its line, cell or page; a thread, or the chat of a document, beside the documents. */
export function goToHit({ path, kind, line, title }: Pick<SearchHit, 'path' | 'kind' | 'line' | 'title'>): void {
  if (kind === 'thread') {
    const thread = path.replace(/^thread\//, '') as ThreadId;
    void import('../threads/openThread').then(({ openThread }) => openThread(thread));
  } else if (kind === 'chat') {
    // Its title is the path of its document.
    openFile(title);
    showSide('chat');
  } else openFile(path, { line });
}
