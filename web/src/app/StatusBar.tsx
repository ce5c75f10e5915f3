import { Suspense } from 'react';
import { useUnsynced } from '../documents/unsynced';
import { useFocus } from '../editor/focus';
import { useFacts } from '../files/kind';
import { openModels } from '../models/openModels';
import { useModelOf, useModels } from '../models/store';
import { useProblems } from '../problems/store';
import { useIsGuest } from '../side/modes';
import { useThreads } from '../threads/state';
import { Icon } from '../ui/Icon';
import { useConnection } from '../wire/connection';
import { runCommand } from './commands';
import styles from './StatusBar.module.css';
import { useShell } from './shell';
import { Today } from './slots';

/** The line at the bottom: sync, position, model. */
export function StatusBar() {
  const guest = useIsGuest();
  return (
    <footer className={styles.status} data-region="status">
      <Sync />
      <span className={styles.gap} />
      <ProblemCount />
      <Position />
      <Language />
      {guest ? (
        <span className={styles.item}>Guest</span>
      ) : (
        <>
          <Suspense>
            <Today />
          </Suspense>
          <LocalOnly />
          <Model />
        </>
      )}
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

/** How much is known to be wrong; nothing if nothing is. */
function ProblemCount() {
  const { data } = useProblems();
  const errors = data?.problems.filter(({ severity }) => severity === 'error').length ?? 0;
  const warnings = data?.problems.filter(({ severity }) => severity === 'warning').length ?? 0;
  if (errors + warnings === 0) return null;
  const count = errors || warnings;
  return (
    <button type="button" className={styles.button} title="Problems" onClick={() => void runCommand('problems.open')}>
      <Icon name={errors ? 'error' : 'warning'} size={14} />
      {count} {errors ? 'error' : 'warning'}
      {count === 1 ? '' : 's'}
    </button>
  );
}

function Position() {
  const cursor = useFocus((state) => state.focus?.cursor);
  const lines = useFocus(({ focus }) => (focus?.selection ? focus.selection.end - focus.selection.start + 1 : 0));
  if (!cursor) return null;
  return (
    <span className={styles.item}>
      Line {cursor}
      {lines > 1 && ` (${lines} selected)`}
    </span>
  );
}

/** Says so while no other machine is reached. */
function LocalOnly() {
  const { data } = useModels();
  if (!data?.local_only.on) return null;
  return (
    <button type="button" className={styles.button} title="Aside contacts no other computer" onClick={openModels}>
      <Icon name="machine" size={14} />
      Local only
    </button>
  );
}

/** The language of the file that has the attention. */
function Language() {
  const path = useFocus((state) => state.focus?.path ?? '');
  const facts = useFacts(path);
  return path && facts ? <span className={styles.item}>{facts.title}</span> : null;
}

/** The model of the thread; beside the open assistant its composer names it. */
function Model() {
  const thread = useThreads((state) => state.current);
  const chosen = useModelOf(thread);
  const named = useShell(({ side, width }) => side && width !== 'narrow');
  if (named) return null;
  return (
    <button type="button" className={styles.button} onClick={openModels}>
      <Icon name="model" size={14} />
      {chosen ?? (chosen === null ? 'No model' : '…')}
    </button>
  );
}
