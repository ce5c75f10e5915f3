/** What is said of rules on their page. Pure. */
import type { Tone } from '../ui/Fold';
import type { IconName } from '../ui/Icon';
import type { ActionName, Descriptor, LayerView, OriginKind, PolicyLayer, RuleCheck, Ruling } from '../wire/gen/types';

/** What a rule does, as a word, a shape, a colour. */
export interface RulingWords {
  readonly word: string;
  readonly icon: IconName;
  readonly tone: Tone;
}

const RULINGS: Readonly<Record<Ruling, RulingWords>> = {
  allow: { word: 'allow', icon: 'check', tone: 'ok' },
  confirm: { word: 'ask', icon: 'hand', tone: 'warn' },
  deny: { word: 'deny', icon: 'bar', tone: 'err' },
};

/** Says what a rule does. */
export function rulingWords(ruling: Ruling): RulingWords {
  return RULINGS[ruling];
}

/** "It would run without asking.", "It would wait for your approval.", "It would not run." */
export function wouldWords(ruling: Ruling): string {
  const words = { allow: 'It would run without asking.', confirm: 'It would wait for your approval.' };
  return ruling === 'deny' ? 'It would not run.' : words[ruling];
}

/** The name of a layer as a heading. */
export const LAYERS: Readonly<Record<PolicyLayer, string>> = {
  builtin: 'Built in',
  organisation: 'Your organisation',
  user: 'Yours',
  workspace: 'This folder (can only be stricter)',
  turn: 'Approvals in a turn',
};

/** Who can ask, as it is offered in the check. */
export const ASKERS: readonly { readonly kind: OriginKind; readonly words: string }[] = [
  { kind: 'user', words: 'me, in this window' },
  { kind: 'cli', words: 'me, in a terminal' },
  { kind: 'turn', words: 'the assistant' },
  { kind: 'client', words: 'a program with a token' },
  { kind: 'mcp', words: 'a program over MCP' },
  { kind: 'sidebar', words: 'the AI history model' },
  { kind: 'script', words: 'a script' },
];

/** What a layer without rules says, if anything: a file that is not there yet is no mistake. */
export function emptyWords({ layer, rules, problem }: LayerView): string | null {
  if (rules.length > 0 || problem !== null) return null;
  return layer === 'user' ? 'You have no rules. “Accept and remember…” on a request creates one.' : 'No rules.';
}

/** The checks that say something first: what matched, the one that decides before all. */
export function splitChecks(checks: readonly RuleCheck[]): { matched: RuleCheck[]; unmet: RuleCheck[] } {
  const matched = checks.filter((check) => check.matched);
  matched.sort((one, two) => Number(two.decided) - Number(one.decided));
  return { matched, unmet: checks.filter((check) => !check.matched) };
}

/** Arguments to begin with: those of the action's first example, as JSON to be changed. */
export function exampleArguments(catalog: readonly Descriptor[], action: ActionName): string | null {
  const example = catalog.find((each) => each.name === action)?.examples[0];
  return example === undefined ? null : JSON.stringify(example.args, null, 2);
}

/** Arguments as they were typed, or what is wrong with them. Nothing typed is no arguments. */
export function readArguments(text: string): { args: unknown; problem: null } | { args: null; problem: string } {
  try {
    return { args: text.trim() === '' ? {} : JSON.parse(text), problem: null };
  } catch (error) {
    return { args: null, problem: error instanceof Error ? error.message : String(error) };
  }
}
