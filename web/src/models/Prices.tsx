import { useState } from 'react';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { Note, Problem } from '../ui/Note';
import type { Failure, PriceList, PriceLists, RefreshPrices } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidate } from '../wire/resource';
import styles from './Models.module.css';
import { useModels } from './store';

/** Which lists the prices are from, how old they are, and getting a newer one. */
export function Prices({ lists, file }: { lists: readonly PriceList[]; file: string | null }) {
  return (
    <div className={styles.prices}>
      <ul>
        {lists.map(({ source, date, models }) => (
          <li key={`${source} ${date}`}>
            {source}
            {date && <time dateTime={date}>, {date}</time>}: {models.toLocaleString('en')}{' '}
            {models === 1 ? 'model' : 'models'}
          </li>
        ))}
      </ul>
      <Refresh />
      <p className={styles.place}>
        The first list that has a model sets its price. If a price varies by hour, the higher one counts.
        {file && (
          <>
            {' '}
            Your own limits and prices are in <code>{file}</code>.
          </>
        )}
      </p>
    </div>
  );
}

type State = 'idle' | 'asking' | { readonly failure: Failure } | { readonly got: PriceList };

function Refresh() {
  const localOnly = useModels().data?.local_only.on ?? false;
  const [state, setState] = useState<State>('idle');
  const refresh = async () => {
    setState('asking');
    try {
      const { lists } = await request<PriceLists>('POST', 'models/prices', {} satisfies RefreshPrices);
      // A person's own prices have no day, and stand before the list that was got.
      const got = lists.find(({ date }) => date !== '');
      setState(got ? { got } : 'idle');
      announce('Prices updated');
    } catch (error) {
      setState({ failure: failureOf(error) });
    }
    for (const path of ['spending', 'models']) invalidate(path);
  };
  if (localOnly) return <Note>Local only is on, so prices can’t be updated.</Note>;
  return (
    <>
      <Button icon="retry" disabled={state === 'asking'} onClick={() => void refresh()}>
        {state === 'asking' ? 'Updating prices…' : 'Update prices'}
      </Button>
      {typeof state === 'object' && 'failure' in state && <Problem failure={state.failure} />}
      {typeof state === 'object' && 'got' in state && (
        <p role="status" className={styles.place}>
          Updated prices of {state.got.models.toLocaleString('en')} models, dated {state.got.date}.
        </p>
      )}
      <Note>Downloads the price list that LiteLLM publishes. Nothing else is sent.</Note>
    </>
  );
}
