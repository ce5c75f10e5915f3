/** What is said of rules. Pure. */
import type { ActionRecord, RuleOffer, RuleScope, Verdict } from '../wire/gen/types';

/** The layer of a rule, in words: what stands before the first `/` of its name. */
export function layerWords(rule: string): string {
  const layer = rule.split('/')[0] ?? '';
  return LAYERS[layer] ?? `layer “${layer}”`;
}

const LAYERS: Readonly<Record<string, string>> = {
  builtin: 'built in; can’t be overridden',
  organisation: 'your organisation’s rule',
  user: 'your rule',
  workspace: 'this folder’s rule; it can only be stricter than yours',
  turn: 'your answer, for the rest of that turn',
  thread: 'how this thread reviews edits',
  label: 'based on the content’s source',
  grant: 'its grant',
  default: 'the default for its risk',
};

/** "Approval required because", "Not allowed because": how the reason of a verdict is introduced. */
export function becauseWords({ ruling }: Verdict): string {
  return ruling === 'deny' ? 'Not allowed because:' : 'Approval required because:';
}

/** How far an answer can be remembered. */
export type Reach = 'turn' | RuleScope;

/** The ways in which a yes to this can be remembered; none if no rule could be. */
export function reachesOf(record: ActionRecord, offer: RuleOffer): Reach[] {
  const turn: Reach[] = record.origin.kind === 'turn' ? ['turn'] : [];
  return offer.file === null ? turn : [...turn, 'workspace', 'everywhere'];
}

/** What would be written, word for word; nothing for a turn, which only keeps the rule in mind. */
export function writtenText(reach: Reach, offer: RuleOffer): string {
  return reach === 'everywhere' ? offer.everywhere_text : offer.workspace_text;
}

/** "It would have allowed 12 of the last 200 requests." */
export function pastWords({ past: { matched, of } }: RuleOffer): string {
  if (of === 0) return 'There were no earlier requests to compare it with.';
  if (matched === 0) return `It would have allowed none of the last ${of} requests before this one.`;
  return `It would have allowed ${matched} of the last ${of} requests.`;
}
