import { expect, it } from 'vitest';
import { costWords, dollars, perMillion, picodollarsOf, priceLines, typed } from './money';

const NOTHING = { picodollars: 0, unknown: 0, at_most: 0, local: 0, milliseconds: 0 };

it('shows small dollar amounts with more digits', () => {
  expect([0, 1.234e12, 0.1e12, 0.00345e12].map(dollars)).toEqual(['$0.00', '$1.23', '$0.10', '$0.0034']);
});

it('an unknown price is never free', () => {
  expect(costWords(NOTHING)).toBeNull();
  expect(costWords({ ...NOTHING, unknown: 1 })).toBe('price unknown');
  expect(costWords({ ...NOTHING, picodollars: 2e12, unknown: 3 })).toBe('$2.00, 3 calls with unknown price');
  expect(costWords({ ...NOTHING, unknown: 1, at_most: 0.02e12 })).toBe('price unknown, at most $0.0200');
  expect(costWords({ ...NOTHING, local: 1, milliseconds: 1440 })).toBe('1.4 s on this computer');
});

it('shows prices per million tokens', () => {
  expect([3e6, 0.15e6, 2.5e6, 0.075e6, 0.0375e6, 0].map(perMillion)).toEqual([
    '$3',
    '$0.15',
    '$2.50',
    '$0.075',
    '$0.0375',
    'free',
  ]);
  const rates = { input: 3e6, output: 15e6, cache_read: 0.3e6, cache_write: null };
  const lines = (others: { cache_write_hour: number | null; reasoning: number | null }) =>
    priceLines({ ...rates, ...others }).map(({ what, costs }) => `${what} ${costs}`);
  const usual = ['Input $3', 'Output $15', 'Input, cached $0.30'];
  expect(lines({ cache_write_hour: null, reasoning: null })).toEqual(usual);
  expect(lines({ cache_write_hour: 6e6, reasoning: 20e6 })).toEqual([
    ...usual.toSpliced(2, 0, 'Output, reasoning $20'),
    'Input, 1-hour cache write $6',
  ]);
});

it('reads limits as people type them', () => {
  expect(['0.5', ' $10 ', '0,25', ''].map(picodollarsOf)).toEqual([0.5e12, 10e12, 0.25e12, null]);
  expect(['much', '-1', '1e3', '1000001'].map(picodollarsOf)).toEqual([undefined, undefined, undefined, undefined]);
  expect([null, 0.5e12, 10e12].map(typed)).toEqual(['', '0.5', '10']);
});
