import type { ButtonHTMLAttributes } from 'react';
import styles from './Switch.module.css';

/** A switch with its state as a word. It is named by the text beside it. */
export function Switch({ on, ...rest }: ButtonHTMLAttributes<HTMLButtonElement> & { on: boolean }) {
  return (
    <button type="button" role="switch" {...rest} className={styles.switch} aria-checked={on}>
      <span aria-hidden="true" />
      {on ? 'On' : 'Off'}
    </button>
  );
}
