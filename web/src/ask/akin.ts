/** Actions whose words a sentence has, where nothing has all of its words. Pure. */
import type { Descriptor } from '../wire/gen/types';
import { aliasesOf } from './aliases';

/** Words that say nothing of an action. */
const EMPTY = new Set(
  'a all an and by for from in into it its my of off on the this that to up with please'.split(' '),
);

/** The share of a sentence's words that an action has to have. */
const SHARE = 0.4;
const MOST = 3;

/** The actions that share the most words with a sentence, best first; none where too few are shared. */
export function akinActions(sentence: string, actions: readonly Descriptor[]): Descriptor[] {
  const said = [...new Set(wordsOf(sentence))];
  if (said.length === 0) return [];
  const scored = actions.map((action) => {
    const own = new Set(
      [action.summary, ...aliasesOf(action.name), ...action.phrases, ...action.tags].flatMap(wordsOf),
    );
    return { action, shared: said.filter((word) => own.has(word)).length };
  });
  const best = Math.max(...scored.map(({ shared }) => shared));
  if (best < 2 && said.length > 1) return [];
  const near = scored.filter(({ shared }) => shared === best && shared >= SHARE * said.length);
  return near.slice(0, MOST).map(({ action }) => action);
}

/** The words of a text without endings that change nothing: `cells` is `cell`. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return words.filter((word) => !EMPTY.has(word)).map((word) => word.replace(/(?<=\p{L}{3})s$/u, ''));
}
