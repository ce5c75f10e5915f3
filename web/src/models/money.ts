/** What is said of costs. Pure. */
import type { Cost, TokenRates } from '../wire/gen/types';

/** "$0.0123", "price unknown", "1.4 s on this computer"; null if nothing was called. What is unknown is never free. */
export function costWords(cost: Cost): string | null {
  const words: string[] = [];
  if (cost.picodollars > 0) words.push(dollars(cost.picodollars));
  if (cost.unknown > 0) words.push(unknownWords(cost));
  if (cost.local > 0) words.push(`${timeWords(cost)} on this computer`);
  return words.length > 0 ? words.join(', ') : null;
}

function unknownWords({ unknown, at_most }: Cost): string {
  const words = unknown === 1 ? 'price unknown' : `${unknown} calls with unknown price`;
  return at_most > 0 ? `${words}, at most ${dollars(at_most)}` : words;
}

/** "4.2 s", "3 min", "under 0.1 s": how long the models took. */
export function timeWords({ milliseconds }: Pick<Cost, 'milliseconds'>): string {
  const seconds = milliseconds / 1000;
  if (seconds < 0.1) return 'under 0.1 s';
  return seconds < 120 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`;
}

/** Dollars and cents; below ten cents as many digits as tell something. */
export function dollars(picodollars: number): string {
  const value = picodollars / 1e12;
  return `$${value.toFixed(picodollars === 0 || value >= 0.1 ? 2 : 4)}`;
}

/** A limit as it is typed: "0.5"; empty for none. */
export function typed(picodollars: number | null): string {
  return picodollars === null ? '' : String(picodollars / 1e12);
}

/** What was typed as dollars; null for no limit, undefined for what is none. */
export function picodollarsOf(text: string): number | null | undefined {
  const plain = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(',', '.');
  if (plain === '') return null;
  const value = /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
  return value <= 1e6 ? Math.round(value * 1e12) : undefined;
}

/** "$3", "$0.15": what a million tokens cost of which one costs so much. */
export function perMillion(picodollars: number): string {
  const value = picodollars / 1e6;
  if (value === 0) return 'free';
  return `$${Number.isInteger(value) ? value : value.toFixed(value >= 0.1 ? 2 : 4).replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}

/** What each million tokens of a model costs, kind by kind. */
export function priceLines(rates: TokenRates): { readonly what: string; readonly costs: string }[] {
  const lines = [
    { what: 'Input', rate: rates.input },
    { what: 'Output', rate: rates.output },
    { what: 'Output, reasoning', rate: rates.reasoning },
    { what: 'Input, cached', rate: rates.cache_read },
    { what: 'Input, cache write', rate: rates.cache_write },
    { what: 'Input, 1-hour cache write', rate: rates.cache_write_hour },
  ];
  return lines.flatMap(({ what, rate }) => (rate === null ? [] : [{ what, costs: perMillion(rate) }]));
}
