import { useUnsynced } from '../documents/unsynced';
import { useFocus } from '../editor/focus';
import { costWords } from '../models/money';
import { openModels } from '../models/openModels';
import { Icon } from '../ui/Icon';
import { useConnection } from '../wire/connection';
import type { Models, SpendingView } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './StatusBar.module.css';

/** The line at the bottom: sync, position, model. */
export function StatusBar() {
  return (
    <footer className={styles.status} data-region="status">
      <Sync />
      <span className={styles.gap} />
      <Position />
      <Today />
      <Model />
    </footer>
  );
}

function Sync() {
  const status = useConnection((state) => state.status);
  const unsynced = useUnsynced((state) => state.count);
  if (status === 'online') return <span className={styles.item}>Synced</span>;
  if (status === 'connecting') return <span className={styles.item}>Connecting…</span>;
  return (
    <span className={`${styles.item} ${styles.warn}`}>
      <Icon name="cloudOff" size={14} />
      Offline{unsynced > 0 && `, ${unsynced} unsynced`}
    </span>
  );
}

function Position() {
  const focus = useFocus((state) => state.focus);
  if (!focus?.cursor) return null;
  const lines = focus.selection ? focus.selection.end - focus.selection.start + 1 : 0;
  return (
    <span className={styles.item}>
      Line {focus.cursor}
      {lines > 1 && ` (${lines} selected)`}
    </span>
  );
}

/** What was spent today; a word of warning before a limit is reached. */
function Today() {
  const online = useConnection((state) => state.status === 'online');
  const { data } = useResource<SpendingView>(online ? 'spending' : null);
  if (!data) return null;
  const { today } = data;
  const warning = data.problem ?? data.warning;
  if (today.picodollars === 0 && today.unknown === 0 && !warning) return null;
  return (
    <button
      type="button"
      className={`${styles.button} ${warning ? styles.warn : ''}`}
      title={warning ?? 'What the models have cost today'}
      onClick={openModels}
    >
      {warning && <Icon name="warning" size={14} />}
      Today {costWords({ ...today, local: 0 }) ?? '$0.00'}
    </button>
  );
}

function Model() {
  const online = useConnection((state) => state.status === 'online');
  const { data } = useResource<Models>(online ? 'models' : null);
  return (
    <button type="button" className={styles.button} onClick={openModels}>
      <Icon name="model" size={14} />
      {data ? (data.chosen ?? 'No model') : '…'}
    </button>
  );
}
