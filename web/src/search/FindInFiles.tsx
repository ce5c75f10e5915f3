import { useEffect } from 'react';
import { connection } from '../wire/connection';
import styles from './Find.module.css';
import { FindFields } from './FindFields';
import { FindResults } from './FindResults';
import { countWords, findAgain, findNow, stopFind, useFind } from './findStore';
import { SearchFailure } from './SearchFailure';

/** Milliseconds in which changes of files are one. */
const PAUSE = 1000;

/** Reads all files for a text, and replaces it. */
export function FindInFiles() {
  const { text, files, done, dismissed, failure, busy } = useFind();
  useFresh();
  const counts = countWords({ files, done, dismissed });
  return (
    <div className={styles.find}>
      <FindFields />
      <div className={styles.state}>
        <SearchFailure shown={files.length > 0} loading={false} failure={failure} onAgain={() => void findNow()} />
      </div>
      {text !== '' && !failure && (
        <p className={styles.counts}>
          <span>{counts || 'Looking…'}</span>
          {busy && counts !== '' && (
            <button type="button" className={styles.link} onClick={stopFind}>
              Stop
            </button>
          )}
        </p>
      )}
      {done?.more && <p className={styles.counts}>Only the first are listed. Narrow the search to see the others.</p>}
      {text === '' && (
        <p className={styles.counts}>
          Reads every file that git does not ignore, with unsaved text. F4 opens the next result.
        </p>
      )}
      <FindResults />
    </div>
  );
}

/** Looks again when files change; a text that was kept is looked for at first. */
function useFresh(): void {
  useEffect(() => {
    const { text, done, busy } = useFind.getState();
    if (text !== '' && done === null && !busy) void findNow();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = connection.on('files_changed', () => {
      clearTimeout(timer);
      timer = setTimeout(() => void findAgain(), PAUSE);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
}
