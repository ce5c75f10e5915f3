import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import type { Failure } from '../wire/gen/types';
import styles from './Entrance.module.css';
import { openSession } from './session';
import { TokenForm } from './TokenForm';

/** What is shown when this page can't get in: why, and the way in. */
export function Entrance({ reason, failure }: { reason: 'token' | 'gone' | 'failed'; failure: Failure }) {
  return (
    <main className={styles.entrance}>
      {reason === 'token' && <NoToken />}
      {reason === 'gone' && (
        <Notice icon="cloudOff" title="Aside is not running here">
          <p>
            Start it in the folder you want to work in with <code>aside</code>, then try again. Your files are where
            they were.
          </p>
          <Retry />
        </Notice>
      )}
      {reason === 'failed' && (
        <Notice icon="error" title="Aside could not be opened">
          <p>{failure.message}</p>
          {failure.hint && <p>{failure.hint}</p>}
          <Retry />
        </Notice>
      )}
    </main>
  );
}

function Retry() {
  return (
    <Button look="primary" icon="retry" onClick={() => void openSession()}>
      Try again
    </Button>
  );
}

function NoToken() {
  return (
    <Notice icon="hand" title="Open Aside with its link">
      <p>
        Only you may open this workspace, so the page needs the link that <code>aside</code> printed in the terminal; it
        ends in <code>#token=…</code>
      </p>
      <TokenForm />
    </Notice>
  );
}
