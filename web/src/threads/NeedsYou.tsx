import { threadOf } from '../actions/origin';
import { useActions, waitingRecords } from '../actions/store';
import { openView } from '../frames/store';
import { Icon } from '../ui/Icon';
import type { ThreadId } from '../wire/gen/types';
import styles from './NeedsYou.module.css';

/** Says that something waits outside the thread that is shown, and leads to it. */
export function NeedsYou({ current }: { current: ThreadId | null }) {
  const elsewhere = useActions(
    ({ records }) =>
      waitingRecords(records).filter(({ origin }) => threadOf(origin) === null || threadOf(origin) !== current).length,
  );
  if (elsewhere === 0) return null;
  return (
    <button type="button" className={styles.needs} onClick={() => openView({ kind: 'needs_you' })}>
      <Icon name="hand" />
      <span>{elsewhere === 1 ? '1 other action waiting for you' : `${elsewhere} other actions waiting for you`}</span>
      <Icon name="chevronRight" />
    </button>
  );
}
