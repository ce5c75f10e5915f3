/** What the fast path understood, in words: the action, its arguments, its risk. Pure. */
import type { Descriptor } from '../wire/gen/types';
import type { Routed, RoutedAction } from './routing';

/** One thing that can be done with a sentence: an action, or several in order. */
export interface Understood {
  readonly actions: readonly RoutedAction[];
  readonly title: string;
  /** The arguments that the title does not say. */
  readonly args: string;
  readonly risk: RiskWord;
}

/** The gravest risk, as it is shown. */
export type RiskWord =
  | 'window'
  | 'read'
  | 'write'
  | 'runs code'
  | 'network'
  | 'install'
  | 'access'
  | 'costs'
  | 'deletes';

/** From harmless to grave. */
const GRAVITY: readonly RiskWord[] = [
  'window',
  'read',
  'write',
  'runs code',
  'network',
  'install',
  'access',
  'costs',
  'deletes',
];

const WORDS: Readonly<Record<string, RiskWord>> = {
  ui: 'window',
  read: 'read',
  write: 'write',
  execute: 'runs code',
  network: 'network',
  install: 'install',
  access: 'access',
  billing: 'costs',
  destructive: 'deletes',
};

/** Everything that the person can choose of a route; nothing if it is a model's. */
export function understoodIn(routed: Routed, catalog: readonly Descriptor[]): Understood[] {
  const one = (actions: readonly RoutedAction[]) => (actions.length > 0 ? [describe(actions, catalog)] : []);
  if (routed.kind === 'model') return [];
  if (routed.kind !== 'choose') return one(routed.actions ?? []);
  return (routed.candidates ?? []).flatMap((each) => one('action_type' in each ? [each] : each));
}

function describe(actions: readonly RoutedAction[], catalog: readonly Descriptor[]): Understood {
  const titles = actions.map((action) => titleOf(action, catalog));
  const title = titles.length === 1 ? (titles[0] as string) : titles.map((each, at) => `${at + 1}. ${each}`).join('  ');
  return {
    actions,
    title,
    args: actions.length === 1 ? argsOf(actions[0] as RoutedAction, title) : '',
    risk: actions.map((action) => riskOf(action, catalog)).reduce(graver),
  };
}

function titleOf({ title, action_type }: RoutedAction, catalog: readonly Descriptor[]): string {
  return title?.trim() || catalog.find(({ name }) => name === action_type)?.summary || action_type;
}

/** The gravest risk of an action; one that nobody knows is taken for a change. */
export function riskOf({ action_type, risk }: RoutedAction, catalog: readonly Descriptor[]): RiskWord {
  const known = catalog.find(({ name }) => name === action_type);
  const words = [...(known?.risks ?? []), ...(risk ? [risk] : [])].map((each) => WORDS[each] ?? 'write');
  if (words.length === 0) return action_type.startsWith('ui.') ? 'window' : 'write';
  const gravest = words.reduce(graver);
  return gravest === 'read' && (known?.effect === 'ui' || action_type.startsWith('ui.')) ? 'window' : gravest;
}

function graver(one: RiskWord, two: RiskWord): RiskWord {
  return GRAVITY.indexOf(one) > GRAVITY.indexOf(two) ? one : two;
}

/** Nothing but the window changes, or nothing at all: it happens at once. */
export function isHarmless(risk: RiskWord): boolean {
  return risk === 'window' || risk === 'read';
}

/** Letters of arguments in a row. */
const MOST_LETTERS = 120;

function argsOf({ args }: RoutedAction, title: string): string {
  if (typeof args !== 'object' || args === null) return '';
  const words = Object.entries(args).flatMap(([name, value]) => {
    const text = valueWords(value);
    return text === '' || title.includes(text) ? [] : [`${name}: ${text}`];
  });
  const all = words.join(' · ');
  return all.length > MOST_LETTERS ? `${all.slice(0, MOST_LETTERS - 1)}…` : all;
}

function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(valueWords).filter(Boolean).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
