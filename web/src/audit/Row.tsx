import { useState } from 'react';
import { isModels } from '../actions/origin';
import { Plain } from '../actions/Plain';
import { Icon } from '../ui/Icon';
import styles from './Audit.module.css';
import type { Entry } from './entry';
import { Opened } from './Opened';
import { endOf, subjectOf, whoWords } from './words';

/** One action of the audit; opened, all that is known of it and the way back. */
export function Row({ entry }: { entry: Entry }) {
  const [open, setOpen] = useState(false);
  const record = entry.body;
  const end = endOf(record);
  const at = new Date(record.at);
  return (
    <li className={styles.row} data-open={open}>
      <button type="button" className={styles.toggle} data-row aria-expanded={open} onClick={() => setOpen(!open)}>
        <time className={styles.when} dateTime={at.toISOString()} title={at.toLocaleString()}>
          {at.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })}
        </time>
        <span className={styles.end} data-tone={end.tone}>
          <Icon name={end.icon} />
          <span>{end.word}</span>
        </span>
        <span className={styles.what}>
          <code>{record.action_type}</code> <Plain text={subjectOf(record)} />
          {isModels(record.origin) && <span className={styles.tag}>model</span>}
          {record.parent && <span className={styles.tag}>part</span>}
          {record.label === 'external' && <span className={styles.tag}>untrusted source</span>}
        </span>
        <span className={styles.who}>
          <Plain text={whoWords(record)} />
        </span>
        <Icon name={open ? 'chevronDown' : 'chevronRight'} />
      </button>
      {open && <Opened entry={entry} />}
    </li>
  );
}
