import { useState } from 'react';
import { ActionCard } from '../actions/ActionCard';
import { useActions, waitingRecords } from '../actions/store';
import { titleOf } from '../actions/title';
import { Icon } from '../ui/Icon';
import type { ActionRecord, ThreadId } from '../wire/gen/types';
import styles from './NeedsYou.module.css';
import { showThread, useThreads } from './store';

/** What waits for a person outside the thread that is shown: from other threads, the command line, a button. */
export function NeedsYou({ current }: { current: ThreadId | null }) {
  const records = useActions((state) => state.records);
  const elsewhere = waitingRecords(records).filter(
    (record) => threadOf(record) === null || threadOf(record) !== current,
  );
  const [open, setOpen] = useState(false);
  if (elsewhere.length === 0) return null;
  const words =
    elsewhere.length === 1 ? '1 action elsewhere needs you' : `${elsewhere.length} actions elsewhere need you`;
  return (
    <section className={styles.needs} aria-label="Needs you">
      <button type="button" className={styles.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="hand" />
        <span>{words}</span>
        <Icon name={open ? 'chevronDown' : 'chevronRight'} />
      </button>
      {open && (
        <ul className={styles.list}>
          {elsewhere.map((record) => (
            <Waiting key={record.envelope.id} record={record} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Waiting({ record }: { record: ActionRecord }) {
  const thread = threadOf(record);
  const title = useThreads((state) => (thread ? state.threads.get(thread)?.title : undefined));
  if (thread === null) {
    return (
      <li>
        <ActionCard id={record.envelope.id} />
      </li>
    );
  }
  return (
    <li>
      <button type="button" className={styles.entry} onClick={() => showThread(thread)}>
        <span>{titleOf(record)}</span>
        <span className={styles.thread}>in {title || 'a thread'}</span>
      </button>
    </li>
  );
}

function threadOf(record: ActionRecord): ThreadId | null {
  return record.origin.kind === 'turn' ? record.origin.thread : null;
}
