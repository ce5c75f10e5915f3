import { useCallback, useEffect, useMemo, useState } from 'react';
import { startActions } from '../actions/sync';
import { Button } from '../ui/Button';
import { connection } from '../wire/connection';
import type { AuditEntry, Failure } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import styles from './Audit.module.css';
import { Row } from './Row';
import { readAudit } from './read';
import { filterRows, rowsOf } from './rows';
import { Verify } from './Verify';

const FIRST = 200;

/** What was done: who asked, who or which rule allowed it, what came of it, and the way back. */
export default function Audit() {
  const { entries, failure, reload } = useEntries();
  const [query, setQuery] = useState('');
  const [reads, setReads] = useState(false);
  const [most, setMost] = useState(FIRST);
  const rows = useMemo(() => filterRows(rowsOf(entries ?? []), query, reads), [entries, query, reads]);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h2>What was done</h2>
        <Verify />
        <Button icon="retry" onClick={reload}>
          Read again
        </Button>
      </header>
      <div className={styles.filters}>
        <input
          type="search"
          aria-label="Filter by action, file, person or rule"
          placeholder="Filter by action, file, person or rule"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <label>
          <input type="checkbox" checked={reads} onChange={(event) => setReads(event.target.checked)} /> Also what was
          only read
        </label>
      </div>
      {failure && <p className={styles.failure}>{failure.message}</p>}
      <ol className={styles.rows} aria-label="Actions">
        {rows.slice(0, most).map((row) => (
          <Row key={row.action} row={row} />
        ))}
      </ol>
      {entries && rows.length === 0 && (
        <p className={styles.none}>{query ? 'Nothing fits.' : 'Nothing was done yet.'}</p>
      )}
      {rows.length > most && <Button onClick={() => setMost(most + FIRST)}>Show more</Button>}
    </div>
  );
}

function useEntries() {
  const [entries, setEntries] = useState<readonly AuditEntry[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const reload = useCallback(() => {
    setFailure(null);
    readAudit().then(setEntries, (error: unknown) => setFailure(failureOf(error)));
  }, []);
  useEffect(() => {
    startActions();
    reload();
    const stops = [connection.on('document_edited', reload), connection.on('needs_you', reload)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [reload]);
  return { entries, failure, reload };
}
