import { useState } from 'react';
import { Plain } from '../actions/Plain';
import { ReadState } from '../ui/ReadState';
import type { HistoryProblems } from '../wire/gen/types';
import styles from './History.module.css';
import { usePages } from './Pages';

const PAGE = 50;

/** How often something of the logs could not be read; opened, where, and why. */
export function Problems({ count }: { count: number }) {
  const [open, setOpen] = useState(false);
  const { data, loading, failure, reload, buttons } = usePages<HistoryProblems>(open ? 'history/problems' : null, PAGE);
  const places = count === 1 ? 'one place' : `${count.toLocaleString('en')} places`;
  return (
    <details className={styles.quiet} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Couldn’t read the logs in {places}. Everything else was read.</summary>
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
      {buttons}
    </details>
  );
}
