// Opening a hit at its place.
import { openFile } from '../frames/store';
import type { ThreadId } from '../wire/gen/types';
import type { SearchHit } from './api';

/** Opens a hit at its line, cell or page; a thread beside the documents. */
export function goToHit({ path, kind, line }: Pick<SearchHit, 'path' | 'kind' | 'line'>): void {
  if (kind === 'thread') {
    const thread = path.replace(/^thread\//, '') as ThreadId;
    void import('../threads/openThread').then(({ openThread }) => openThread(thread));
  } else openFile(path, { line });
}
