/** The actions that the fast path understood, in words: title, objects, risk. Pure. */
import type { Descriptor, RoutedSentence, RoutedStep } from '../wire/gen/types';

/** One thing that can be done with a sentence: an action, or several in order. */
export interface Understood {
  readonly actions: readonly RoutedStep[];
  readonly title: string;
  /** The objects that the title does not name. */
  readonly detail: string;
  readonly risk: RiskWord;
}

/** The gravest risk, as it is shown. */
export type RiskWord = (typeof GRAVITY)[number];

/** From harmless to grave. */
const GRAVITY = ['window', 'read', 'write', 'network', 'install', 'access', 'costs', 'runs code', 'deletes'] as const;

const WORDS: Readonly<Record<string, RiskWord>> = {
  read: 'read',
  write: 'write',
  network: 'network',
  install: 'install',
  access: 'access',
  billing: 'costs',
  destructive: 'deletes',
};

/** The risks that code has together: it can do anything. */
const OF_CODE: Descriptor['risks'] = ['destructive', 'install', 'network'];

/** Everything that the person can choose of a route; nothing if it is a model's. */
export function understoodIn({ kind, actions, candidates }: RoutedSentence): Understood[] {
  if (kind === 'model') return [];
  if (kind === 'choose') return candidates.map((candidate) => describe([candidate]));
  return actions.length > 0 ? [describe(actions)] : [];
}

function describe(actions: readonly RoutedStep[]): Understood {
  const [only, ...others] = actions;
  const risk = actions.map(riskOf).reduce(graver);
  if (only && others.length === 0) return { actions, title: only.title, detail: shorten(only.detail), risk };
  const title = actions.map((step, at) => `${at + 1}. ${step.title}`).join('  ');
  const detail = actions.map((step, at) => step.detail && `${at + 1}. ${step.detail}`);
  return { actions, title, detail: shorten(detail.filter(Boolean).join('  ')), risk };
}

/** The gravest risk of an action. One that is not known to only show or read asks first. */
export function riskOf({
  action_type,
  risks,
  is_gentle,
}: Pick<RoutedStep, 'action_type' | 'risks' | 'is_gentle'>): RiskWord {
  if (is_gentle) return action_type.startsWith('ui.') ? 'window' : 'read';
  if (OF_CODE.every((risk) => risks.includes(risk))) return 'runs code';
  return risks.map((risk) => WORDS[risk] ?? 'write').reduce(graver, 'write');
}

function graver(one: RiskWord, two: RiskWord): RiskWord {
  return GRAVITY.indexOf(one) > GRAVITY.indexOf(two) ? one : two;
}

/** Nothing but the window changes, or nothing at all: it happens at once. */
export function isHarmless(risk: RiskWord): boolean {
  return risk === 'window' || risk === 'read';
}

/** An action of the catalog without arguments, as the fast path would give it. */
export function stepOf({ name, summary, effect, risks, undo }: Descriptor): RoutedStep {
  const is_gentle = effect === 'ui' || risks.every((risk) => risk === 'read');
  return { action_type: name, args: {}, title: summary, detail: '', risks, undo, is_gentle };
}

/** Letters of objects in a row. */
const MOST_LETTERS = 120;

function shorten(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}
