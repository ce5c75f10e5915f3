/** What is said of tokens: those that were counted, and those that are estimated. Pure. */
import type { Cost, Usage } from '../wire/gen/types';
import { costWords, timeWords } from './money';

/** "900", "1.2k", "44k", "1.1M": as many digits as tell something. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${shortened(count / 1000)}k`;
  return `${shortened(count / 1_000_000)}M`;
}

function shortened(value: number): string {
  return value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}

/** "41k of 44k tokens from cache, 312 out · $0.0123 · 4.2 s"; null if nothing was counted. */
export function usageLine(usage: Usage | null, cost: Cost | null): string | null {
  const parts = [
    usage && tokenWords(usage),
    cost && costWords(cost),
    cost && cost.local === 0 && cost.milliseconds >= 100 && timeWords(cost),
  ];
  return parts.filter(Boolean).join(' · ') || null;
}

function tokenWords({ input, output, cache_read }: Usage): string | null {
  if (input === null && output === null) return null;
  const out = output === null ? '? out' : `${tokens(output)} out`;
  if (input === null) return out;
  if (cache_read) return `${tokens(cache_read)} of ${tokens(input)} tokens from cache, ${out}`;
  return `${tokens(input)} tokens in, ${out}`;
}

/** Every kind of token that was counted, with its exact number. */
export function usageRows(usage: Usage): { readonly what: string; readonly count: string }[] {
  const rows: readonly [string, number | null][] = [
    ['Input', usage.input],
    ['Input, cached', usage.cache_read],
    ['Input, cache write', usage.cache_write],
    // Dearer than the rest of it; hardly anybody has any.
    ['Input, 1-hour cache write', usage.cache_write_hour || null],
    ['Output', usage.output],
    ['Output, reasoning', usage.reasoning],
  ];
  return rows.flatMap(([what, count]) => (count === null ? [] : [{ what, count: count.toLocaleString('en') }]));
}

/** What some calls cost together. */
export function sumOf(costs: Iterable<Cost>): Cost {
  const sum = { picodollars: 0, unknown: 0, at_most: 0, local: 0, milliseconds: 0 };
  for (const cost of costs) for (const key of Object.keys(sum) as (keyof Cost)[]) sum[key] += cost[key];
  return sum;
}
