import { useEffect, useState } from 'react';
import type { ActionId, Failure, RuleEdit, RuleOffer } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';

const PAUSE = 250;

/** What the server says of a changed rule. */
export interface Checked {
  /** The rule as it would be; the last one that could be. */
  readonly offer: RuleOffer | null;
  readonly failure: Failure | null;
  /** What was typed last has not been looked at yet. */
  readonly busy: boolean;
}

const NOTHING: Checked = { offer: null, failure: null, busy: false };

/** Shows a changed rule to the server once nothing was typed for a moment; it alone knows what the rule would allow. */
export function useEditedRule(action: ActionId, edit: RuleEdit | null): Checked {
  const [checked, setChecked] = useState(NOTHING);
  const key = edit && JSON.stringify(edit);
  useEffect(() => {
    if (key === null) return setChecked(NOTHING);
    const mine = new AbortController();
    setChecked((before) => ({ ...before, busy: true }));
    const timer = setTimeout(() => {
      request<RuleOffer>('POST', `actions/${action}/rule`, JSON.parse(key), mine.signal).then(
        (offer) => setChecked({ offer, failure: null, busy: false }),
        (error: unknown) => {
          if (!mine.signal.aborted) setChecked((before) => ({ ...before, failure: failureOf(error), busy: false }));
        },
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      mine.abort();
    };
  }, [action, key]);
  return checked;
}
