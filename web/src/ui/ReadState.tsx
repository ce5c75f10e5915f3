import { Words } from '../actions/Words';
import { useConnection } from '../wire/connection';
import type { Failure } from '../wire/gen/types';
import { Button } from './Button';
import { Icon } from './Icon';
import styles from './ReadState.module.css';

interface ReadStateProps {
  /** Something is shown already; it may be old. */
  shown: boolean;
  loading: boolean;
  failure: Failure | null | undefined;
  onAgain(): void;
}

/** Why there is nothing to see yet, or why what is seen may be old. Nothing if all is well. */
export function ReadState({ shown, loading, failure, onAgain }: ReadStateProps) {
  const offline = useConnection((state) => state.status === 'offline');
  if (failure) {
    return (
      <p className={styles.state} data-tone="err" role="alert">
        <Icon name="error" />
        <span>
          {shown ? 'This may be out of date. ' : ''}
          <Words text={failure.message} /> {failure.hint && <Words text={failure.hint} />}
        </span>
        <Button onClick={onAgain}>Retry</Button>
      </p>
    );
  }
  if (shown) {
    return offline ? (
      <p className={styles.state} data-tone="warn">
        Can’t reach Aside. This may be out of date.
      </p>
    ) : null;
  }
  return loading ? (
    <p className={styles.state} data-tone="quiet">
      Loading…
    </p>
  ) : null;
}
