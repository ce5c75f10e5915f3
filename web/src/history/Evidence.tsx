import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import type { HistoryPlace } from '../wire/gen/types';
import styles from './History.module.css';

/** The sessions that something rests on, each a way to it. */
export function Evidence({ places, onOpen }: { places: readonly HistoryPlace[]; onOpen(session: string): void }) {
  return (
    <span className={styles.evidence}>
      {places.map(({ session, file, offset }) => (
        <Button key={`${file}:${offset}`} look="quiet" title={`${file}:${offset}`} onClick={() => onOpen(session)}>
          Session <Plain text={session.slice(0, 8)} />
        </Button>
      ))}
    </span>
  );
}
