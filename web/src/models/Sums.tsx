import { useEffect, useId, useState } from 'react';
import { Plain } from '../actions/Plain';
import { openView } from '../frames/store';
import { openThread } from '../threads/openThread';
import { Button } from '../ui/Button';
import { Select } from '../ui/Field';
import type { Cost, SpendingSum, SumsBy } from '../wire/gen/types';
import { invalidate, useResource } from '../wire/resource';
import styles from './Models.module.css';
import { costWords } from './money';

const WAYS: readonly { readonly by: SumsBy; readonly words: string }[] = [
  { by: 'model', words: 'Model' },
  { by: 'thread', words: 'Thread' },
  { by: 'task', words: 'Task' },
  { by: 'day', words: 'Day (UTC)' },
];

/** Rows that are shown; the rest is on the command line. */
const SHOWN = 30;

/** What the calls used and cost, added up by what the person wants to know. */
export function Sums() {
  const [by, setBy] = useState<SumsBy>('model');
  const id = useId();
  const path = `spending/sums?by=${by}`;
  const { data } = useResource<SpendingSum[]>(path);
  // There may have been calls since it was shown last.
  useEffect(() => invalidate(path), [path]);
  const words = WAYS.find((way) => way.by === by)?.words;
  return (
    <>
      <div className={styles.by}>
        <label htmlFor={id}>Group by</label>
        <Select id={id} value={by} onChange={(event) => setBy(event.target.value as SumsBy)}>
          {WAYS.map((way) => (
            <option key={way.by} value={way.by}>
              {way.words}
            </option>
          ))}
        </Select>
      </div>
      {data && data.length > 0 && (
        <table className={styles.costs}>
          <thead>
            <tr>
              <th scope="col">{words}</th>
              <th scope="col">Calls</th>
              <th scope="col">Input tokens</th>
              <th scope="col">Cached</th>
              <th scope="col">Output tokens</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {data.slice(0, SHOWN).map((sum) => (
              <Row key={sum.of} by={by} sum={sum} />
            ))}
          </tbody>
        </table>
      )}
      {data?.length === 0 && <p className={styles.place}>No model calls yet.</p>}
      {data && data.length > SHOWN && (
        <p className={styles.place}>
          {data.length - SHOWN} more: <code>aside models spending --by {by}</code>
        </p>
      )}
    </>
  );
}

function Row({ by, sum }: { by: SumsBy; sum: SpendingSum }) {
  const { calls, usage, cost } = sum;
  return (
    <tr>
      <th scope="row">
        <Name by={by} sum={sum} />
      </th>
      <td>{calls}</td>
      <td>{count(usage.input)}</td>
      <td>{count(usage.cache_read)}</td>
      <td>{count(usage.output)}</td>
      <td>{words(cost)}</td>
    </tr>
  );
}

/** A thread or a task leads to itself. */
function Name({ by, sum: { of, name } }: { by: SumsBy; sum: SpendingSum }) {
  const shown = <Plain text={name || of} />;
  if (by !== 'thread' && by !== 'task') return shown;
  const go = () => (by === 'thread' ? openThread(of) : openView({ kind: 'task', task: of }));
  return (
    <Button look="quiet" className={styles.lead} onClick={go}>
      {shown}
    </Button>
  );
}

function words(cost: Cost): string {
  return costWords(cost) ?? '$0.00';
}

function count(tokens: number | null): string {
  return tokens === null ? '?' : tokens.toLocaleString('en');
}
