/** Counts the sentences of *Ask Aside* for the page *Statistics*: the way that each took, never the words. */
import type { CountSentence } from '../wire/gen/types';
import { request } from '../wire/requests';
import { invalidateWhere } from '../wire/resource';

/** Counts one. A count that is lost is no loss to the person, who is told nothing of it. */
export function countSentence(sentence: CountSentence): void {
  const counted = request('POST', 'statistics/sentences', sentence);
  counted.then(
    () => invalidateWhere((path) => path.startsWith('statistics')),
    () => {},
  );
}
