/** What a grant allows, in the words of a person, and what a person's choices mean. Pure. */
import type { Grant, GrantLimits, GrantRecord, Risk } from '../wire/gen/types';

/** The classes of risk, from harmless to grave, as they are offered. */
export const RISKS: readonly { readonly risk: Risk; readonly words: string }[] = [
  { risk: 'read', words: 'view files and threads' },
  { risk: 'write', words: 'change files (can be undone)' },
  { risk: 'destructive', words: 'delete and overwrite' },
  { risk: 'network', words: 'reach the network' },
  { risk: 'install', words: 'install programs' },
  { risk: 'access', words: 'change access' },
  { risk: 'billing', words: 'spend money' },
];

/** How long a grant can hold, in hours. */
export const TERMS: readonly { readonly hours: number; readonly words: string }[] = [
  { hours: 1, words: '1 hour' },
  { hours: 24, words: '1 day' },
  { hours: 24 * 7, words: '7 days' },
  { hours: 24 * 30, words: '30 days' },
];

/** What a person chose. */
export interface Choices {
  readonly name: string;
  readonly risks: readonly Risk[];
  /** One pattern a line; empty for all. */
  readonly actions: string;
  /** One glob a line; empty for anywhere. */
  readonly paths: string;
  readonly hours: number;
}

/** The narrowest useful choice: to look, for a day. */
export const NARROW: Choices = { name: '', risks: ['read'], actions: '', paths: '', hours: 24 };

/** What a program that works with files needs; all that it changes is asked about. */
export const FOR_A_PROGRAM: Choices = { ...NARROW, name: 'MCP client', risks: ['read', 'write'], hours: 24 * 7 };

/** The risks with one more or one less, in their order. */
export function withRisk(risks: readonly Risk[], risk: Risk, wanted: boolean): Risk[] {
  return RISKS.map((each) => each.risk).filter((each) => (each === risk ? wanted : risks.includes(each)));
}

/** The limits that the choices stand for. */
export function limitsOf(choices: Choices, now: number): GrantLimits {
  const actions = linesOf(choices.actions);
  const paths = linesOf(choices.paths);
  return {
    risks: [...choices.risks],
    ...(actions.length > 0 && { actions }),
    ...(paths.length > 0 && { paths }),
    expires: now + choices.hours * 3_600_000,
  };
}

function linesOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** "read, write; doc.*; under src/**": what it covers. */
export function coversWords({ risks, actions, paths }: Grant): string {
  const where = paths.map((list) => `under ${list.join(' or ')}`);
  return [
    risks.length === RISKS.length ? 'everything' : risks.join(', '),
    ...(actions ? [actions.join(', ')] : []),
    ...where,
  ].join('; ');
}

/** Whether anything can still be done under a grant. */
export function standing({ grant, revoked }: GrantRecord, now: number): 'holds' | 'revoked' | 'expired' {
  if (revoked !== null) return 'revoked';
  return typeof grant.expires === 'number' && grant.expires <= now ? 'expired' : 'holds';
}
