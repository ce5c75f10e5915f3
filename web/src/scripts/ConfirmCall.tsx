import { useEffect } from 'react';
import { ActionCard } from '../actions/ActionCard';
import { readAction, useAction } from '../actions/store';
import type { PendingCall } from '../wire/gen/types';
import { OfClass } from './OfClass';
import styles from './ScriptRun.module.css';

/** The call that waits: its card, and beside the answer for it alone one for all of its kind. */
export function ConfirmCall({ pending }: { pending: PendingCall }) {
  const record = useAction(pending.id);
  useEffect(() => {
    if (!record) void readAction(pending.id);
  }, [record, pending.id]);
  if (!record) return null;
  return (
    <article className={styles.part} aria-label="Waiting for you">
      <h3>The script waits for you</h3>
      <ActionCard id={pending.id}>
        {record.state === 'awaiting_confirmation' && <OfClass pending={pending} record={record} />}
      </ActionCard>
    </article>
  );
}
