import { useEffect, useState } from 'react';
import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import { ReadState } from '../ui/ReadState';
import type { HistorySession, HistorySessions } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './History.module.css';
import { folderName, money, when } from './numbers';

const PAGE = 50;

interface SessionsProps {
  /** Which sessions, as the address says it. */
  query: string;
  onOpen(id: string): void;
}

/** Sessions, the newest first, a page at a time. */
export function Sessions({ query, onOpen }: SessionsProps) {
  const [from, setFrom] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other sessions begin at their first page.
  useEffect(() => setFrom(0), [query]);
  const { data, loading, failure, reload } = useResource<HistorySessions>(`history/sessions?${query}&from=${from}`);
  return (
    <>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data?.sessions.length === 0 && <p className={styles.quiet}>No sessions are like that.</p>}
      <ul className={styles.sessions}>
        {data?.sessions.map((session) => (
          <Row key={`${session.program} ${session.id}`} session={session} onOpen={onOpen} />
        ))}
      </ul>
      {data && (from > 0 || data.more) && (
        <p className={styles.pages}>
          <Button disabled={from === 0} onClick={() => setFrom(from - PAGE)}>
            Newer
          </Button>
          <Button disabled={!data.more} onClick={() => setFrom(from + PAGE)}>
            Older
          </Button>
        </p>
      )}
    </>
  );
}

function Row({ session, onOpen }: { session: HistorySession; onOpen(id: string): void }) {
  const { id, title, program, workspace, last, messages, dollars, snippet } = session;
  return (
    <li>
      <button type="button" className={styles.session} onClick={() => onOpen(id)}>
        <span className={styles.name}>
          <Plain text={title ?? `${workspace ? folderName(workspace) : 'Session'} ${id.slice(0, 8)}`} />
        </span>
        <span className={styles.facts}>
          {when(last)} · {program}
          {workspace && (
            <>
              {' · '}
              <Plain text={workspace} />
            </>
          )}{' '}
          · {messages} messages · {dollars === undefined ? 'cost unknown' : money(dollars)}
        </span>
        {snippet && (
          <span className={styles.snippet}>
            <Plain text={snippet} />
          </span>
        )}
      </button>
    </li>
  );
}
