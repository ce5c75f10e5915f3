import { useId } from 'react';
import { Plain } from '../actions/Plain';
import type { ThreadFound, ThreadId } from '../wire/gen/types';
import { showThread } from './store';
import styles from './ThreadSwitcher.module.css';
import { useSaid } from './useSaid';

interface SaidInProps {
  query: string;
  /** Those that are in the list by their names already. */
  listed: ReadonlySet<ThreadId>;
  onClose(): void;
}

/** Threads in which people or models said what is looked for, each with the line; one leads to its turn. */
export function SaidIn({ query, listed, onClose }: SaidInProps) {
  const id = useId();
  const found = useSaid(query).filter(({ thread }) => !listed.has(thread.id));
  if (found.length === 0) return null;
  const show = ({ thread, turn }: ThreadFound) => {
    showThread(thread.id, turn ?? undefined);
    onClose();
  };
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.group}>
        Found in messages
      </h3>
      <ul className={styles.list}>
        {found.map((each) => (
          <li key={each.thread.id} className={styles.entry}>
            <button type="button" className={styles.show} data-thread onClick={() => show(each)}>
              <span className={styles.title}>{each.thread.title}</span>
            </button>
            <span className={styles.detail}>
              <Plain text={each.excerpt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
