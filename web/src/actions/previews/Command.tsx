import { Plain } from '../Plain';
import styles from './Command.module.css';

/** A command with each argument apart, whole, and the folder it runs in. */
export function Command({ argv, cwd }: { argv: readonly string[]; cwd: string }) {
  return (
    <div className={styles.command}>
      <ol className={styles.argv} aria-label="Command and arguments">
        {argv.map((argument, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: arguments have no other name, and never change.
          <li key={index}>
            <code>
              <Plain text={argument} />
            </code>
          </li>
        ))}
      </ol>
      <p className={styles.cwd}>
        in <code>{cwd === '' ? 'the workspace' : <Plain text={cwd} />}</code>
      </p>
    </div>
  );
}
