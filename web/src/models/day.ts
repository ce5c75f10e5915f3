/** How today stands to what may be spent in a day. Pure. */
import type { Tone } from '../ui/Fold';
import type { SpendingView } from '../wire/gen/types';
import { costWords, dollars } from './money';

/** Today, in words and as a share of its limit. */
export interface Day {
  readonly words: string;
  readonly title: string;
  /** Of the limit, from 0 to 1; null without one. */
  readonly share: number | null;
  readonly tone: Tone;
}

/** How today stands; null if there is nothing to say. */
export function dayOf({ today, limits, problem, warning }: SpendingView): Day | null {
  const limit = limits.day;
  // Where money is at stake, seconds on this machine are not what is looked for.
  const isPaid = today.picodollars > 0 || today.unknown > 0 || limit !== null;
  const spent = costWords(isPaid ? { ...today, local: 0 } : today);
  // Seconds on this computer cost nothing: the status bar has better things to say.
  if (!isPaid && !problem && !warning) return null;
  // A call that was stopped counts as what it can have cost.
  const counted = today.picodollars + today.at_most;
  const share = limit === null ? null : limit === 0 ? 1 : Math.min(1, counted / limit);
  const stopped = !!problem || (share !== null && share >= 1);
  const words = `Today ${spent ?? '$0.00'}${limit === null ? '' : ` of ${dollars(limit)}`}`;
  return {
    words: stopped ? `${words}, paused` : words,
    title: problem ?? (stopped ? STOPPED : (warning ?? 'Model costs today')),
    share,
    tone: stopped ? 'err' : warning ? 'warn' : 'quiet',
  };
}

const STOPPED = 'Today’s limit is reached, so paid models are paused. Open to see the limits.';
