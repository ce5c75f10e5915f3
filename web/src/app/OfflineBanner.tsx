import { useEffect, useState } from 'react';
import { useUnsynced } from '../documents/unsynced';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { connection, useConnection } from '../wire/connection';
import styles from './OfflineBanner.module.css';

/** A server that is back this soon was never gone. */
const PATIENCE = 1500;

/** Says that the server can't be reached, and that writing goes on. */
export function OfflineBanner() {
  const offline = useOfflineForLong();
  const unsynced = useUnsynced((state) => state.count);
  if (!offline) return null;
  return (
    <div className={styles.banner}>
      <Icon name="cloudOff" />
      <span className={styles.text}>
        Aside can’t be reached. Editing locally; will sync.
        {unsynced > 0 && ` ${unsynced} ${unsynced === 1 ? 'change' : 'changes'} not synced yet.`}
      </span>
      <Button look="quiet" icon="retry" onClick={() => connection.retryNow()}>
        Try now
      </Button>
    </div>
  );
}

function useOfflineForLong(): boolean {
  const offline = useConnection((state) => state.status === 'offline');
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!offline) return;
    const timer = setTimeout(() => {
      setLong(true);
      announce('Aside can’t be reached. Editing locally; will sync.');
    }, PATIENCE);
    return () => {
      clearTimeout(timer);
      setLong((was) => {
        if (was) announce('Connected again');
        return false;
      });
    };
  }, [offline]);
  return offline && long;
}
