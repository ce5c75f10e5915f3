/** What is said of an estimate, before a message is sent. Pure. */
import type { Span, TurnEstimate } from '../wire/gen/types';
import { dollars, timeWords } from './money';
import { tokens } from './usage';

/** "About 6.2k tokens, $0.01 to $0.04". */
export function estimateWords({ input_tokens, local, cost, milliseconds }: TurnEstimate): string {
  const size = `About ${tokens(input_tokens)} tokens`;
  if (local)
    return milliseconds ? `${size}, ${span(milliseconds, seconds)} on this computer` : `${size}, on this computer`;
  return cost ? `${size}, ${span(cost, dollars)}` : `${size}, price unknown`;
}

/** What it assumes, sentence by sentence. */
export function assumptions({ warning, cached_tokens, steps, output, price_source }: TurnEstimate): string {
  return [
    warning,
    `Assumes ${span(steps, String)} model calls with ${span(output, tokens)} output tokens in total.`,
    cached_tokens > 0 && `${tokens(cached_tokens)} input tokens of the first call are probably cached.`,
    price_source && `Prices: ${price_source}.`,
    'This is an estimate; only limits are enforced.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** "2 to 9", or one of them if they are said alike. */
function span({ low, high }: Span, words: (value: number) => string): string {
  const [from, to] = [words(low), words(high)];
  return from === to ? from : `${from} to ${to}`;
}

const seconds = (milliseconds: number) => timeWords({ milliseconds });
