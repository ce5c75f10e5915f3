import { Plain } from '../actions/Plain';
import type { HistorySkip } from '../wire/gen/types';
import styles from './History.module.css';

/** Kinds of files and records that are not read; opened, each with one of them and what to try. */
export function Skipped({ kinds }: { kinds: readonly HistorySkip[] }) {
  const programs = [...new Set(kinds.map(({ program }) => program))];
  return (
    <details className={styles.quiet}>
      <summary>
        <Plain text={`Not read: some logs of ${programs.join(', ')}.`} />
      </summary>
      <ul>
        {kinds.map(({ program, kind, count, example, hint }) => (
          <li key={`${program}:${kind}`}>
            <Plain text={`${program}, ${kind}: ${count.toLocaleString('en')}, such as `} />
            <code>
              <Plain text={example} />
            </code>
            . <Plain text={hint} />
          </li>
        ))}
      </ul>
    </details>
  );
}
