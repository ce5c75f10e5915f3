import type { ReactNode } from 'react';
import { Words } from '../actions/Words';
import type { Failure } from '../wire/gen/types';
import { Icon } from './Icon';
import styles from './Note.module.css';

/** A sentence that explains what is beside it. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <p className={styles.note} data-tone="quiet">
      {children}
    </p>
  );
}

/** What went wrong, said once when it comes. */
export function Problem({ failure }: { failure: Pick<Failure, 'message' | 'hint'> }) {
  return (
    <p className={styles.problem} data-tone="err" role="alert">
      <Icon name="error" />
      <span>
        <Words text={failure.message} /> {failure.hint && <Words text={failure.hint} />}
      </span>
    </p>
  );
}
