import { useState } from 'react';
import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import { ReadState } from '../ui/ReadState';
import type { HistoryEntry, HistoryPage, HistoryResumed } from '../wire/gen/types';
import styles from './History.module.css';
import { money, when } from './numbers';
import { usePages } from './Pages';
import { Playback } from './Playback';

const PAGE = 200;

/** One session: what was said and done, and its files at any moment. */
export function SessionPage({ id, onBack, onOpen }: { id: string; onBack(): void; onOpen(id: string): void }) {
  const [shows, setShows] = useState<'timeline' | 'files'>('timeline');
  const path = `history/sessions/${encodeURIComponent(id)}`;
  const { data, loading, failure, reload, from, buttons } = usePages<HistoryPage>(path, PAGE);
  const session = data?.session;
  return (
    <>
      <p className={styles.pages}>
        <Button icon="back" onClick={onBack}>
          All sessions
        </Button>
        <Button aria-pressed={shows === 'timeline'} onClick={() => setShows('timeline')}>
          What happened
        </Button>
        <Button aria-pressed={shows === 'files'} onClick={() => setShows('files')}>
          Files
        </Button>
      </p>
      {session && (
        <header>
          <h3>
            <Plain text={session.title ?? session.id} />
          </h3>
          <p className={styles.quiet}>
            {session.program} · {when(session.first)} to {when(session.last)} ·{' '}
            {session.dollars === undefined ? 'cost unknown' : money(session.dollars)}
          </p>
          {data?.resumed_from && <Resumed from={data.resumed_from} onOpen={onOpen} />}
        </header>
      )}
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {shows === 'files' && <Playback id={id} />}
      {shows === 'timeline' && data && (
        <>
          <ol className={styles.timeline} start={from + 1}>
            {data.entries.map((entry) => (
              <li key={`${entry.file} ${entry.offset} ${entry.what.kind} ${JSON.stringify(entry.what).length}`}>
                <Entry entry={entry} />
              </li>
            ))}
          </ol>
          {buttons}
        </>
      )}
    </>
  );
}

/** Where it goes on from: what its log repeats of that session is shown there. */
function Resumed({ from: { session, file, offset }, onOpen }: { from: HistoryResumed; onOpen(id: string): void }) {
  return (
    <p className={styles.quiet} title={`${file}:${offset}`}>
      Goes on from{' '}
      <Button look="quiet" onClick={() => onOpen(session.id)}>
        <Plain text={session.title ?? session.id} />
      </Button>{' '}
      of {when(session.first)}; what that one said and did is shown there.
    </p>
  );
}

function Entry({ entry: { at, file, offset, side, what } }: { entry: HistoryEntry }) {
  const place = `${file}:${offset}`;
  const facts = (
    <span className={styles.facts} title={place}>
      {when(at)}
      {side && ' · a model that another had started'}
    </span>
  );
  if (what.kind === 'message') {
    return (
      <article className={what.user ? styles.person : styles.model}>
        <h4>
          {what.user ? 'Person' : 'Model'} {facts}
        </h4>
        {what.text === undefined ? (
          <p className={styles.quiet}>The log that this stood in is gone.</p>
        ) : (
          <p className={styles.said}>
            <Plain text={what.text} />
            {what.cut && ' …'}
          </p>
        )}
      </article>
    );
  }
  const state = what.ok === undefined ? '' : what.ok ? 'done' : 'failed';
  return (
    <article className={styles.call} data-tone={what.ok === false ? 'err' : 'quiet'}>
      <h4>
        <Plain text={what.name} /> {state} {facts}
      </h4>
      {what.command && (
        <code>
          <Plain text={what.command} />
        </code>
      )}
      {what.paths.map((path) => (
        <code key={path}>
          <Plain text={path} />
        </code>
      ))}
    </article>
  );
}
