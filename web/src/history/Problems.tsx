import { useState } from 'react';
import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import { ReadState } from '../ui/ReadState';
import type { HistoryProblems } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './History.module.css';

const PAGE = 50;

/** How often something of the logs could not be read; opened, where, and why. */
export function Problems({ count }: { count: number }) {
  const [open, setOpen] = useState(false);
  const [from, setFrom] = useState(0);
  const { data, loading, failure, reload } = useResource<HistoryProblems>(
    open ? `history/problems?from=${from}` : null,
  );
  const places = count === 1 ? 'one place' : `${count.toLocaleString('en')} places`;
  return (
    <details className={styles.quiet} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Logs could not be read in {places}; what stands beside was.</summary>
      {open && <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />}
      <ul>
        {data?.problems.map(({ path, offset, reason }) => (
          <li key={`${path}:${offset}`}>
            <code>
              <Plain text={offset === undefined ? path : `${path}:${offset}`} />
            </code>{' '}
            <Plain text={reason} />
          </li>
        ))}
      </ul>
      {data && (from > 0 || data.more) && (
        <p className={styles.pages}>
          <Button disabled={from === 0} onClick={() => setFrom(from - PAGE)}>
            Before
          </Button>
          <Button disabled={!data.more} onClick={() => setFrom(from + PAGE)}>
            After
          </Button>
        </p>
      )}
    </details>
  );
}
