/** Actions whose words a sentence has, where nothing has all of its words. Pure. */
import type { Descriptor } from '../wire/gen/types';
import { aliasesOf } from './aliases';

/** Words that say nothing of an action. */
const EMPTY = new Set(
  'a all an and by for from in into it its my of off on the this that to up with please'.split(' '),
);

/** Verbs that go with nearly everything: without an object they name no action. */
const VERBS = new Set('add change close create delete go make new open remove run set show start use'.split(' '));

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
    const shared = said.filter((word) => own.has(word));
    return { action, shared: shared.some((word) => !VERBS.has(word)) ? shared.length : 0 };
  });
  const best = Math.max(...scored.map(({ shared }) => shared));
  if (best < (said.length > 1 ? 2 : 1)) return [];
  const near = scored.filter(({ shared }) => shared === best && shared >= SHARE * said.length);
  return near.slice(0, MOST).map(({ action }) => action);
}

/** The verb of a sentence that says nothing else: its object has to be asked for. */
export function bareVerb(sentence: string): string | null {
  const said = wordsOf(sentence);
  const [verb] = said;
  return said.length === 1 && verb !== undefined && VERBS.has(verb) ? verb : null;
}

/** The words of a text without endings that change nothing: `cells` is `cell`. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return words.filter((word) => !EMPTY.has(word)).map((word) => word.replace(/(?<=\p{L}{3})s$/u, ''));
}
