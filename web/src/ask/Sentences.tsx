import { Plain } from '../actions/Plain';
import { isGuest } from '../app/session';
import { openPalette } from '../app/shell';
import styles from './Sentences.module.css';

/** Sentences that work without a model. A click puts one into the palette, which shows what it would do. */
export function Sentences({ of }: { of: readonly string[] }) {
  if (isGuest()) return null;
  return (
    <div className={styles.sentences}>
      <span className={styles.lead}>Ask Aside, for example:</span>
      <ul aria-label="Examples">
        {of.map((sentence) => (
          <li key={sentence}>
            <button type="button" onClick={() => openPalette('all', sentence)}>
              <Plain text={sentence} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
