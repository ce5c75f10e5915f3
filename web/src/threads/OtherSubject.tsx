import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { ThreadId } from '../wire/gen/types';
import styles from './Chips.module.css';
import { goOnAnew, stayIn, useOtherSubject } from './otherSubject';

/** Offers a new thread for a message that seems to be about something else. */
export function OtherSubject({ thread, draft }: { thread: ThreadId; draft: string }) {
  if (!useOtherSubject(thread, draft)) return null;
  return (
    <div className={styles.chips} role="status">
      <span className={styles.chip}>
        <Icon name="chat" size={14} />
        <span className={styles.label}>New topic?</span>
        <Button look="quiet" className={styles.begins} onClick={() => goOnAnew(thread, draft)}>
          New thread
        </Button>
        <IconButton icon="close" label="Stay in this thread" onClick={() => stayIn(thread)} />
      </span>
    </div>
  );
}
