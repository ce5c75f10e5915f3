import { useEffect, useMemo, useState } from 'react';
import { useFocus } from '../editor/focus';
import { assumptions, estimateWords } from '../models/estimate';
import { useModelOf } from '../models/store';
import { Icon } from '../ui/Icon';
import type { EstimateTurn, ThreadId, TurnEstimate } from '../wire/gen/types';
import { request } from '../wire/requests';
import { useAttached } from './attached';
import styles from './EstimateLine.module.css';
import { withScope } from './focusWords';
import { useSending } from './sending';

/** Milliseconds without a letter before it is asked. */
const PAUSE = 500;

/** Under the composer: what the message would probably cost. Its line is always there, so that nothing moves. */
export function EstimateLine({ thread, draft }: { thread: ThreadId | null; draft: string }) {
  const estimate = useEstimate(thread, draft.trim());
  return (
    <p className={styles.line} title={estimate ? assumptions(estimate) : undefined}>
      {estimate?.warning ? (
        <span data-tone="warn" className={styles.warning}>
          <Icon name="warning" size={12} /> {estimate.warning}
        </span>
      ) : (
        estimate && estimateWords(estimate)
      )}
    </p>
  );
}

function useEstimate(thread: ThreadId | null, text: string): TurnEstimate | null {
  const model = useModelOf(thread);
  const place = useFocus((state) => state.focus);
  const scope = useSending((state) => state.scope);
  const attached = useAttached(thread);
  const focus = useMemo(() => withScope(place, scope), [place, scope]);
  const [estimate, setEstimate] = useState<TurnEstimate | null>(null);
  useEffect(() => {
    if (text === '' || !model) {
      setEstimate(null);
      return;
    }
    const asked = new AbortController();
    const ask = async () => {
      const body: EstimateTurn = {
        text,
        model,
        ...(thread && { thread }),
        ...(focus && { focus }),
        attached: [...attached],
      };
      // Nobody misses it if there is none.
      const found = await request<TurnEstimate>('POST', 'models/estimate', body, asked.signal).catch(() => null);
      if (!asked.signal.aborted) setEstimate(found);
    };
    const timer = setTimeout(() => void ask(), PAUSE);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [thread, text, model, focus, attached]);
  return estimate;
}
