import { expect, it } from 'vitest';
import type { Cost, Usage } from '../wire/gen/types';
import { sumOf, tokens, usageLine, usageRows } from './usage';

const NOTHING: Cost = { picodollars: 0, unknown: 0, at_most: 0, local: 0, milliseconds: 0 };
const USAGE: Usage = {
  input: 44_000,
  output: 312,
  cache_read: 41_000,
  cache_write: null,
  cache_write_hour: null,
  reasoning: null,
};

it('shortens numbers without losing what matters', () => {
  expect([0, 999, 1000, 1240, 9960, 44_120, 999_499, 999_500, 1_240_000].map(tokens)).toEqual([
    '0',
    '999',
    '1k',
    '1.2k',
    '10k',
    '44k',
    '999k',
    '1M',
    '1.2M',
  ]);
});

it('shows cached tokens, cost and time', () => {
  const cost = { ...NOTHING, picodollars: 0.0123e12, milliseconds: 4200 };
  expect(usageLine(USAGE, cost)).toBe('41k of 44k tokens from cache, 312 out · $0.0123 · 4.2 s');
  const local = { ...NOTHING, local: 1, milliseconds: 1440 };
  expect(usageLine({ ...USAGE, cache_read: 0 }, local)).toBe('44k tokens in, 312 out · 1.4 s on this computer');
});

it('marks missing counts', () => {
  expect(usageLine({ ...USAGE, input: null, output: null }, null)).toBeNull();
  expect(usageLine({ ...USAGE, cache_read: null, output: null }, { ...NOTHING, unknown: 1 })).toBe(
    '44k tokens in, ? out · price unknown',
  );
});

it('has the exact numbers apart', () => {
  expect(usageRows(USAGE).map(({ what, count }) => `${what} ${count}`)).toEqual([
    'Input 44,000',
    'Input, cached 41,000',
    'Output 312',
  ]);
});

it('lists one-hour cache writes separately', () => {
  const rows = (cache_write_hour: number | null) =>
    usageRows({ ...USAGE, cache_write: 900, cache_write_hour }).map(({ what, count }) => `${what} ${count}`);
  expect(rows(400)).toContain('Input, 1-hour cache write 400');
  expect(rows(0)).toEqual(rows(null));
});

it('adds up', () => {
  const one = { ...NOTHING, picodollars: 5, unknown: 1, milliseconds: 10 };
  expect(sumOf([one, { ...one, local: 1 }])).toEqual({
    picodollars: 10,
    unknown: 2,
    at_most: 0,
    local: 1,
    milliseconds: 20,
  });
});
