/** How far AI goes, in words. */
import type { AiLevel, AiReason, AiRestriction, AssistantState, RestrictedBy } from '../wire/gen/types';

const WHO: Record<RestrictedBy, string> = {
  server: 'the operator of this server',
  organisation: 'your organisation',
  user: 'you',
  workspace: 'this folder’s aside-policy.toml',
};

/** The levels, the widest first. */
export const LEVELS: readonly { readonly level: AiLevel; readonly name: string; readonly meaning: string }[] = [
  { level: 'full', name: 'Full', meaning: 'AI is not restricted.' },
  { level: 'partial', name: 'Explain and hint only', meaning: 'AI reads and explains; it changes and runs nothing.' },
  { level: 'off', name: 'Off', meaning: 'No model is called.' },
];

/** Returns “Off until 1 Dec 2026, 11:00, set by your organisation.” */
export function becauseOf(state: AssistantState): string {
  const name = LEVELS.find(({ level }) => level === state.level)?.name ?? state.level;
  const who = [...new Set(state.because.map(({ by }) => WHO[by]))];
  const until = state.until === undefined ? '' : ` until ${timeWords(state.until)}`;
  return who.length === 0 ? `${name}${until}.` : `${name}${until}, set by ${who.join(' and ')}.`;
}

/** Returns one line about a restriction, whether it holds now or not. */
export function reasonWords({ by, restriction, mistake }: AiReason): string {
  const name = LEVELS.find(({ level }) => level === restriction.level)?.name ?? restriction.level;
  return `${name}${windowWords(restriction)}, ${WHO[by]}${mistake === undefined ? '' : ` (error: ${mistake})`}`;
}

/** Returns “ from 1 Dec 2026, 09:00 until 1 Dec 2026, 11:00”; nothing if it always holds. */
export function windowWords({ from, until }: Pick<AiRestriction, 'from' | 'until'>): string {
  const begins = from === undefined ? '' : ` from ${timeWords(from)}`;
  return until === undefined ? begins : `${begins} until ${timeWords(until)}`;
}

/** Returns the time as a field for it wants it: `2026-12-01T09:00`, where the person is. */
export function localTime(time: number): string {
  const date = new Date(time);
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function timeWords(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
