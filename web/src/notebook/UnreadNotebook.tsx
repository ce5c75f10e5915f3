import { useSyncExternalStore } from 'react';
import type { LiveDocument } from '../documents/provider';
import { Icon } from '../ui/Icon';
import styles from './Kernel.module.css';
import { whyUnread } from './unread';

/** Above the text of a file that is called a notebook and can't be read as one: why, as far as it shows here. */
export default function UnreadNotebook({ live }: { live: LiveDocument }) {
  const why = useSyncExternalStore(
    (listener) => {
      live.text.observe(listener);
      return () => live.text.unobserve(listener);
    },
    () => whyUnread(live.text.toString()),
  );
  return (
    <div className={styles.trouble} role="status">
      <Icon name="warning" />
      <p>
        {why ?? 'This file is a valid notebook again.'} {why ? 'It is shown as text.' : 'Close and reopen it.'}
      </p>
    </div>
  );
}
