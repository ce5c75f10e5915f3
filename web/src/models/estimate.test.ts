import { expect, it } from 'vitest';
import type { TurnEstimate } from '../wire/gen/types';
import { assumptions, estimateWords } from './estimate';

const ESTIMATE: TurnEstimate = {
  model: 'openai/gpt-5',
  local: false,
  input_tokens: 6200,
  cached_tokens: 4000,
  steps: { low: 1, high: 6 },
  input: { low: 6200, high: 60_000 },
  output: { low: 200, high: 4000 },
  cost: { low: 0.0123e12, high: 0.41e12 },
  milliseconds: null,
  price_source: 'LiteLLM 2026-11-20',
  warning: null,
};

it('is a range of money or time', () => {
  expect(estimateWords(ESTIMATE)).toBe('About 6.2k tokens, $0.0123 to $0.41');
  expect(estimateWords({ ...ESTIMATE, cost: null })).toBe('About 6.2k tokens, price unknown');
  const local = { ...ESTIMATE, local: true, cost: null };
  expect(estimateWords(local)).toBe('About 6.2k tokens, on this computer');
  expect(estimateWords({ ...local, milliseconds: { low: 4000, high: 30_000 } })).toBe(
    'About 6.2k tokens, 4.0 s to 30.0 s on this computer',
  );
});

it('states its assumptions', () => {
  expect(assumptions(ESTIMATE)).toBe(
    'Assumes 1 to 6 model calls with 200 to 4k output tokens in total. 4k input tokens of the first call are probably cached. Prices: LiteLLM 2026-11-20. This is an estimate; only limits are enforced.',
  );
});
