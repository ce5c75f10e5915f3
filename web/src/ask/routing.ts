/** The fast path: what the server understands of a sentence without a model. Asked while somebody types. */
import { useEffect, useState } from 'react';
import type { ActionName, Risk } from '../wire/gen/types';
import { request } from '../wire/requests';

/** One action that was understood, with its arguments. */
export interface RoutedAction {
  readonly action_type: ActionName;
  readonly args: unknown;
  /** In words: "Close 3 tabs". */
  readonly title?: string;
  readonly risk?: Risk | 'ui' | 'execute';
}

/** `POST ask/route`: one action, several in order, a choice, or nothing that a model isn't needed for. */
export interface Routed {
  readonly kind: 'action' | 'actions' | 'choose' | 'model';
  readonly actions?: readonly RoutedAction[];
  /** Of a choice. */
  readonly candidates?: readonly (RoutedAction | readonly RoutedAction[])[];
  readonly took_us: number;
}

/** Milliseconds of quiet after which a sentence is sent: less than it takes to see a row. */
const PAUSE = 30;
/** A longer text is no command. */
const LONGEST = 2_000;

/** The route of a text as far as it is known. */
export interface Understanding {
  /** The text that it belongs to. */
  readonly text: string;
  readonly routed: Routed;
}

const NOTHING: Routed = { kind: 'model', took_us: 0 };

/** What the server understands of the text; null until it has answered. An outdated question is aborted. */
export function useUnderstanding(text: string, wanted: boolean): Understanding | null {
  const typed = text.trim();
  const [known, setKnown] = useState<Understanding | null>(null);
  const asked = wanted && typed !== '' && typed.length <= LONGEST;
  useEffect(() => {
    if (!asked) return;
    const abort = new AbortController();
    const learn = (routed: Routed) => abort.signal.aborted || setKnown({ text: typed, routed });
    const timer = setTimeout(() => {
      const answer = request<Routed>('POST', 'ask/route', { text: typed }, abort.signal);
      // A server that does not answer leaves the sentence to the model.
      answer.then(learn, () => learn(NOTHING));
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [typed, asked]);
  if (!asked) return { text: typed, routed: NOTHING };
  return known?.text === typed ? known : null;
}
