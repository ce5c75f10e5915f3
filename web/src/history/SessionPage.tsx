import { useState } from 'react';
import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import { ReadState } from '../ui/ReadState';
import type { HistoryEntry, HistoryPage, HistoryResumed } from '../wire/gen/types';
import styles from './History.module.css';
import { costOf, counted, during, sessionName, when, whenExactly } from './numbers';
import { usePages } from './Pages';
import { Playback } from './Playback';
import { programName } from './programs';

const PAGE = 200;

/** One session: what was said and done, and its files at any moment. */
export function SessionPage({ id, onBack, onOpen }: { id: string; onBack(): void; onOpen(id: string): void }) {
  const [shows, setShows] = useState<'timeline' | 'files'>('timeline');
  // The file that the files are shown for.
  const [path, setPath] = useState<string | null>(null);
  const showFile = (file: string) => {
    setPath(file);
    setShows('files');
  };
  const { data, loading, failure, reload, from, buttons } = usePages<HistoryPage>(
    `history/sessions/${encodeURIComponent(id)}`,
    PAGE,
  );
  const session = data?.session;
  return (
    <>
      <p className={styles.pages}>
        <Button icon="back" onClick={onBack}>
          All sessions
        </Button>
        <Button aria-pressed={shows === 'timeline'} onClick={() => setShows('timeline')}>
          Timeline
        </Button>
        <Button aria-pressed={shows === 'files'} onClick={() => setShows('files')}>
          Files
        </Button>
      </p>
      {session && (
        <header>
          <h3>
            <Plain text={sessionName(session)} />
          </h3>
          <p className={styles.quiet}>
            {programName(session.program)} · {during(session.first, session.last)}
            {session.workspace && (
              <>
                {' · '}
                <Plain text={session.workspace} />
              </>
            )}{' '}
            · {counted(session.messages, 'message')} · {costOf(session)}
          </p>
          {data?.resumed_from && <Resumed from={data.resumed_from} onOpen={onOpen} />}
        </header>
      )}
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {shows === 'files' && <Playback id={id} chosen={path} onChoose={setPath} />}
      {shows === 'timeline' && data && (
        <>
          <ol className={styles.timeline} start={from + 1}>
            {data.entries.map((entry) => (
              <li key={`${entry.file} ${entry.offset} ${entry.what.kind} ${JSON.stringify(entry.what).length}`}>
                <Entry entry={entry} onFile={showFile} />
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
      Continued from{' '}
      <Button look="quiet" onClick={() => onOpen(session.id)}>
        <Plain text={sessionName(session)} />
      </Button>{' '}
      ({when(session.first)}). Earlier messages are in that session.
    </p>
  );
}

interface EntryProps {
  entry: HistoryEntry;
  /** Shows what became of a file. */
  onFile(path: string): void;
}

function Entry({ entry: { at, file, offset, side, what }, onFile }: EntryProps) {
  const place = `${file}:${offset}`;
  const facts = (
    <span className={styles.facts} title={place}>
      {whenExactly(at)}
      {side && ' · subagent'}
    </span>
  );
  if (what.kind === 'message') {
    return (
      <article className={what.user ? styles.person : styles.model}>
        <h4>
          {what.user ? 'You' : 'Model'} {facts}
        </h4>
        {what.text === undefined ? (
          <p className={styles.quiet}>The log file with this message no longer exists.</p>
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
          <button type="button" className={styles.only} title="Show file" onClick={() => onFile(path)}>
            <Plain text={path} />
          </button>
        </code>
      ))}
    </article>
  );
}
