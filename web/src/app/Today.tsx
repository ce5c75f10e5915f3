import { dayOf } from '../models/day';
import { openModels } from '../models/openModels';
import { Icon } from '../ui/Icon';
import { useConnection } from '../wire/connection';
import type { SpendingView } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './StatusBar.module.css';

/** The costs of today and their share of the day's limit, with a warning before and when it is reached. */
export function Today() {
  const online = useConnection((state) => state.status === 'online');
  const { data } = useResource<SpendingView>(online ? 'spending' : null);
  const day = data && dayOf(data);
  if (!day) return null;
  return (
    <button
      type="button"
      className={`${styles.button} ${day.tone === 'quiet' ? '' : styles.warn}`}
      data-tone={day.tone}
      title={day.title}
      onClick={openModels}
    >
      {day.tone !== 'quiet' && <Icon name="warning" size={14} />}
      {day.words}
      {day.share !== null && (
        <span className={styles.share} aria-hidden="true">
          <span style={{ inlineSize: `${day.share * 100}%` }} />
        </span>
      )}
    </button>
  );
}
