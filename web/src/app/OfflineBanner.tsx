import { Suspense, useEffect, useState } from 'react';
import { useUnsynced } from '../documents/unsynced';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { connection, useConnection } from '../wire/connection';
import styles from './OfflineBanner.module.css';
import { useSession } from './session';
import { TokenForm } from './slots';

/** A server that is back this soon was never gone. */
const PATIENCE = 1500;

/** Says that the server can't be reached, and that writing goes on. */
export function OfflineBanner() {
  const offline = useOfflineForLong();
  const { count: unsynced, unstored } = useUnsynced();
  const locked = useSession(({ state }) => state.phase === 'open' && state.locked);
  if (!offline) return null;
  if (locked) return <Locked words={waiting(unsynced, unstored)} />;
  return (
    <section className={styles.banner} aria-label="Offline">
      <Icon name="cloudOff" />
      <span className={styles.text}>
        Can’t reach Aside. Your edits sync when it is back. {waiting(unsynced, unstored)}
      </span>
      <Button look="quiet" icon="retry" onClick={() => connection.retryNow()}>
        Retry now
      </Button>
    </section>
  );
}

/** Started anew with another token: what is open stays, and syncs once we are in again. */
function Locked({ words }: { words: string }) {
  return (
    <div className={styles.banner} role="alert">
      <Icon name="hand" />
      <span className={styles.text}>Aside has restarted. Paste its new link to reconnect. {words}</span>
      <Suspense>
        <TokenForm />
      </Suspense>
    </div>
  );
}

/** How much waits, and whether it would outlast this window. */
function waiting(unsynced: number, unstored: 'full' | 'denied' | null): string {
  if (unsynced === 0) return '';
  const count = `${unsynced} ${unsynced === 1 ? 'change' : 'changes'} not synced yet.`;
  if (unstored === null) return count;
  const reason = unstored === 'full' ? 'its storage is full' : 'it does not allow storage';
  return `${count} This browser can’t keep them because ${reason}: leave this window open.`;
}

function useOfflineForLong(): boolean {
  const offline = useConnection((state) => state.status === 'offline');
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!offline) return;
    const timer = setTimeout(() => {
      setLong(true);
      announce('Can’t reach Aside. Your edits sync when it is back.');
    }, PATIENCE);
    return () => {
      clearTimeout(timer);
      setLong((was) => {
        if (was) announce('Reconnected');
        return false;
      });
    };
  }, [offline]);
  return offline && long;
}
