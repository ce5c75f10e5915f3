import { useEffect } from 'react';
import { Notice } from '../ui/Notice';
import { useConnection } from '../wire/connection';
import type { Cost, SpendingLimits, SpendingView } from '../wire/gen/types';
import { invalidate, useResource } from '../wire/resource';
import styles from './Models.module.css';
import { costWords, dollars } from './money';
import { Prices } from './Prices';

/** What the models have cost in this workspace, and what may be spent. */
export function Spending() {
  const online = useConnection((state) => state.status === 'online');
  const { data } = useResource<SpendingView>(online ? 'spending' : null);
  // The person's file may have changed since.
  useEffect(() => invalidate('spending'), []);
  if (!data) return null;
  return (
    <section className={styles.spending} aria-labelledby="spending">
      <h2 id="spending">Spending</h2>
      {data.problem && (
        <Notice icon="error" title="Nothing that costs money is asked now">
          <p>{data.problem}</p>
        </Notice>
      )}
      {data.warning && <p className={styles.warning}>{data.warning}</p>}
      <p>
        Today {words(data.today)}, in all {words(data.total)}. {limits(data.limits)}
      </p>
      {data.models.length > 0 && (
        <table className={styles.costs}>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Calls</th>
              <th scope="col">Tokens in</th>
              <th scope="col">From cache</th>
              <th scope="col">Out</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {data.models.map(({ model, calls, usage, cost }) => (
              <tr key={model}>
                <th scope="row">{model}</th>
                <td>{calls}</td>
                <td>{count(usage.input)}</td>
                <td>{count(usage.cache_read)}</td>
                <td>{count(usage.output)}</td>
                <td>{words(cost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3>Prices</h3>
      <Prices lists={data.prices} file={data.file} />
    </section>
  );
}

function words(cost: Cost): string {
  return costWords(cost) ?? '$0.00';
}

function count(tokens: number | null): string {
  return tokens === null ? '?' : tokens.toLocaleString('en');
}

function limits({ turn, thread, day }: SpendingLimits): string {
  const parts = [
    turn !== null && `${dollars(turn)} a turn`,
    thread !== null && `${dollars(thread)} a thread`,
    day !== null && `${dollars(day)} a day`,
  ].filter(Boolean);
  return parts.length > 0 ? `Your limits: ${parts.join(', ')}.` : 'Nothing is limited.';
}
