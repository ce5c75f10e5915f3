import { Suspense } from 'react';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import type { Failure } from '../wire/gen/types';
import styles from './Entrance.module.css';
import { openSession } from './session';
import { TokenForm } from './slots';

/** What is shown when this page can't get in: why, and the way in. */
export function Entrance({ reason, failure }: { reason: 'token' | 'gone' | 'failed'; failure: Failure }) {
  return (
    <main className={styles.entrance}>
      {reason === 'token' && <NoToken />}
      {reason === 'gone' && (
        <Notice icon="cloudOff" title="Aside is not running">
          <p>
            Start <code>aside</code> in your folder, then retry. Your files are unchanged.
          </p>
          <Retry />
        </Notice>
      )}
      {reason === 'failed' && (
        <Notice icon="error" title="Couldn’t open Aside">
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
      Retry
    </Button>
  );
}

function NoToken() {
  return (
    <Notice icon="hand" title="Open the link printed in the terminal">
      <p>
        This workspace is private. Open or paste the link that <code>aside</code> printed; it ends in{' '}
        <code>#token=…</code>
      </p>
      <Suspense>
        <TokenForm />
      </Suspense>
    </Notice>
  );
}
