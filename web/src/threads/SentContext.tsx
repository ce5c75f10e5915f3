import { Plain } from '../actions/Plain';
import type { ContextChip } from '../wire/gen/types';
import styles from './Chips.module.css';

/** What went to the model beside the message: each piece can be opened, and is exactly what was sent. */
export function SentContext({ chips }: { chips: readonly ContextChip[] }) {
  if (chips.length === 0) return null;
  return (
    <ul className={styles.sent} aria-label="Context sent with this message">
      {chips.map((chip, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a turn never change.
        <li key={index}>
          <details>
            <summary className={styles.chip}>
              <span className={styles.label}>{chip.label}</span>
            </summary>
            <pre className={styles.text}>
              <Plain text={chip.text} />
            </pre>
          </details>
        </li>
      ))}
    </ul>
  );
}
