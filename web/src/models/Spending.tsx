import { useEffect } from 'react';
import { Notice } from '../ui/Notice';
import { useConnection } from '../wire/connection';
import type { SpendingView } from '../wire/gen/types';
import { invalidate, useResource } from '../wire/resource';
import { Limits } from './Limits';
import styles from './Models.module.css';
import { costWords } from './money';
import { Prices } from './Prices';
import { Sums } from './Sums';

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
        <Notice icon="error" title="Paid models are paused">
          <p>{data.problem}</p>
        </Notice>
      )}
      {data.warning && <p className={styles.warning}>{data.warning}</p>}
      <p>
        Today: {costWords(data.today) ?? '$0.00'}. Total: {costWords(data.total) ?? '$0.00'}.
      </p>
      {!data.problem && <Limits limits={data.limits} canChange={data.file !== null} />}
      <Sums />
      <h3>Prices</h3>
      <Prices lists={data.prices} file={data.file} />
    </section>
  );
}
