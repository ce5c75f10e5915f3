import { Plain } from '../actions/Plain';
import { ReadState } from '../ui/ReadState';
import type { HistorySession, HistorySessions } from '../wire/gen/types';
import styles from './History.module.css';
import { costOf, counted, sessionName, when } from './numbers';
import { usePages } from './Pages';
import { programName } from './programs';

const PAGE = 50;

interface SessionsProps {
  /** Which sessions, as the address says it. */
  query: string;
  onOpen(id: string): void;
}

/** Sessions, the newest first, a page at a time. */
export function Sessions({ query, onOpen }: SessionsProps) {
  const path = `history/sessions?${query}`;
  const { data, loading, failure, reload, buttons } = usePages<HistorySessions>(path, PAGE, ['Newer', 'Older']);
  return (
    <>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data?.sessions.length === 0 && <p className={styles.quiet}>No matching sessions.</p>}
      <ul className={styles.sessions}>
        {data?.sessions.map((session) => (
          <Row key={`${session.program} ${session.id}`} session={session} onOpen={onOpen} />
        ))}
      </ul>
      {buttons}
    </>
  );
}

function Row({ session, onOpen }: { session: HistorySession; onOpen(id: string): void }) {
  const { id, program, workspace, last, messages, snippet } = session;
  return (
    <li>
      <button type="button" className={styles.session} onClick={() => onOpen(id)}>
        <span className={styles.name}>
          <Plain text={sessionName(session)} />
        </span>
        <span className={styles.facts}>
          {when(last)} · {programName(program)}
          {workspace && (
            <>
              {' · '}
              <Plain text={workspace} />
            </>
          )}{' '}
          · {counted(messages, 'message')} · {costOf(session)}
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
