import { Plain } from '../actions/Plain';
import { IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { ThreadId } from '../wire/gen/types';
import { detach, useAttached } from './attached';
import styles from './Chips.module.css';
import { attachedLabel } from './completion';
import { useThreads } from './state';

/** What goes along with the next message beside the file, each with a way to take it off. */
export function AttachedChips({ thread }: { thread: ThreadId | null }) {
  const attached = useAttached(thread);
  const threads = useThreads((state) => state.threads);
  if (attached.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Attached context">
      {attached.map((each) => {
        const label = attachedLabel(each, threads);
        return (
          <li key={label} className={styles.chip}>
            <Icon name={each.kind === 'thread' ? 'chat' : 'warning'} size={14} />
            <span className={styles.label}>
              <Plain text={label} />
            </span>
            <IconButton icon="close" label={`Remove ${label}`} onClick={() => detach(thread, each)} />
          </li>
        );
      })}
    </ul>
  );
}
