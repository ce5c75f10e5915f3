import { useEffect, useState } from 'react';
import { ActionCard } from '../actions/ActionCard';
import { readWithParts, useAction } from '../actions/store';
import { ago } from '../threads/list';
import { Icon } from '../ui/Icon';
import type { ActionId } from '../wire/gen/types';
import styles from './Audit.module.css';
import type { AuditRow } from './rows';

/** One action of the audit; opened, it is its card, with what was shown and the way back. */
export function Row({ row }: { row: AuditRow }) {
  const [open, setOpen] = useState(false);
  return (
    <li className={styles.row}>
      <button type="button" className={styles.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'chevronDown' : 'chevronRight'} />
        <span className={styles.what}>
          <code>{row.actionType}</code> {row.targets.join(', ')}
          {row.undoes && <span className={styles.tag}>undo</span>}
          {row.parent && <span className={styles.tag}>part</span>}
        </span>
        <span className={styles.who}>
          {row.model ? `assistant of ${row.by}` : row.by}
          {row.answeredBy ? ` · answered by ${row.answeredBy}` : ` · ${row.rule}`}
        </span>
        <span className={styles.state}>{row.state}</span>
        <time
          className={styles.when}
          dateTime={new Date(row.at).toISOString()}
          title={new Date(row.at).toLocaleString()}
        >
          {ago(row.at, Date.now())}
        </time>
      </button>
      {open && <Record action={row.action} />}
    </li>
  );
}

function Record({ action }: { action: ActionId }) {
  const known = useAction(action) !== undefined;
  const [read, setRead] = useState(false);
  useEffect(() => {
    void readWithParts(action).then(() => setRead(true));
  }, [action]);
  return (
    <div className={styles.record}>
      {known && <ActionCard id={action} />}
      {!known && read && <p className={styles.none}>Only its entries in the audit are left.</p>}
    </div>
  );
}
