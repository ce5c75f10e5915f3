import { Plain } from '../actions/Plain';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { ThreadId } from '../wire/gen/types';
import styles from './QueuedMessages.module.css';
import { editQueued, sendQueued, unqueue, useQueued } from './queued';

/** The messages that wait for the answer that is under way, each with a way to change it. */
export function QueuedMessages({ thread, running }: { thread: ThreadId | null; running: boolean }) {
  const queue = useQueued(thread);
  if (thread === null || queue.length === 0) return null;
  return (
    <section className={styles.queue} aria-label="Queued messages">
      <p className={styles.head}>
        <Icon name="clock" size={14} />
        <span>{running ? 'Queued: sent when the answer is complete' : 'Queued: not sent yet'}</span>
        {!running && (
          <Button look="quiet" onClick={() => void sendQueued(thread)}>
            Send now
          </Button>
        )}
      </p>
      <ol>
        {queue.map((message) => (
          <li key={message.key}>
            <span className={styles.text} title={message.text}>
              <Plain text={message.text} />
            </span>
            <IconButton icon="pencil" label="Edit queued message" onClick={() => editQueued(thread, message)} />
            <IconButton icon="close" label="Remove queued message" onClick={() => unqueue(thread, message.key)} />
          </li>
        ))}
      </ol>
    </section>
  );
}
