/** The fast path: what the server understands of a sentence without a model. Asked while somebody types. */
import { useEffect, useState } from 'react';
import { windowSituation } from '../window/situation';
import type { RoutedSentence, RouteSentence } from '../wire/gen/types';
import { request } from '../wire/requests';

/** Milliseconds of quiet after which a sentence is sent. */
const PAUSE = 60;
/** A longer text is no command. */
const LONGEST = 2_000;

/** The route of a text as far as it is known. */
export interface Understanding {
  /** The text that it belongs to. */
  readonly text: string;
  readonly routed: RoutedSentence;
}

const NOTHING: RoutedSentence = { kind: 'model', actions: [], candidates: [], took_us: 0 };

/** Asks the server for the actions that a text means; null until it has answered. An outdated question is aborted. */
export function useUnderstanding(text: string, wanted: boolean): Understanding | null {
  const typed = text.trim();
  const [known, setKnown] = useState<Understanding | null>(null);
  const asked = wanted && typed !== '' && typed.length <= LONGEST;
  useEffect(() => {
    if (!asked) return;
    const abort = new AbortController();
    const learn = (routed: RoutedSentence) => abort.signal.aborted || setKnown({ text: typed, routed });
    const timer = setTimeout(() => {
      const body: RouteSentence = { text: typed, window: windowSituation() };
      const answer = request<RoutedSentence>('POST', 'ask/route', body, abort.signal);
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
