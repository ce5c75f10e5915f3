import { useEffect, useState } from 'react';
import { useUnsynced } from '../documents/unsynced';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { connection, useConnection } from '../wire/connection';
import styles from './OfflineBanner.module.css';
import { useSession } from './session';
import { TokenForm } from './TokenForm';

/** A server that is back this soon was never gone. */
const PATIENCE = 1500;

/** Says that the server can't be reached, and that writing goes on. */
export function OfflineBanner() {
  const offline = useOfflineForLong();
  const unsynced = useUnsynced((state) => state.count);
  const locked = useSession(({ state }) => state.phase === 'open' && state.locked);
  if (!offline) return null;
  if (locked) return <Locked unsynced={unsynced} />;
  return (
    <section className={styles.banner} aria-label="Offline">
      <Icon name="cloudOff" />
      <span className={styles.text}>Can’t reach Aside. Your edits sync when it is back. {waiting(unsynced)}</span>
      <Button look="quiet" icon="retry" onClick={() => connection.retryNow()}>
        Retry now
      </Button>
    </section>
  );
}

/** Started anew with another token: what is open stays, and syncs once we are in again. */
function Locked({ unsynced }: { unsynced: number }) {
  return (
    <div className={styles.banner} role="alert">
      <Icon name="hand" />
      <span className={styles.text}>Aside has restarted. Paste its new link to reconnect. {waiting(unsynced)}</span>
      <TokenForm />
    </div>
  );
}

function waiting(unsynced: number): string {
  return unsynced === 0 ? '' : `${unsynced} ${unsynced === 1 ? 'change' : 'changes'} not synced yet.`;
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
