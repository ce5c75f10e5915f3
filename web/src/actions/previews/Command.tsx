import { Icon } from '../../ui/Icon';
import { sentence } from '../../ui/sentence';
import type { PreviewBody, SandboxLevel } from '../../wire/gen/types';
import { Plain } from '../Plain';
import { Marked } from '../Sources';
import styles from './Command.module.css';

type CommandBody = Extract<PreviewBody, { kind: 'command' }> & {
  /** Texts that untrusted content holds too. */
  marks?: readonly string[];
};

/** A command with each argument apart, whole; where it runs, what it may reach, what else to know. */
export function Command({ argv, cwd, network, sandbox, environment, notes, marks = [] }: CommandBody) {
  return (
    <div className={styles.command}>
      <ol className={styles.argv} aria-label="Command and arguments">
        {argv.map((argument, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: arguments have no other name, and never change.
          <li key={index}>
            <code>
              <Marked text={argument} marks={marks} />
            </code>
          </li>
        ))}
      </ol>
      <p className={styles.cwd}>
        in <code>{cwd === '' ? 'the workspace' : <Plain text={cwd} />}</code>
      </p>
      <ul className={styles.reach}>
        <li className={sandbox === 'none' ? styles.warn : undefined}>
          <Icon name={sandbox === 'none' ? 'warning' : 'check'} /> {SANDBOX[sandbox]}
        </li>
        <li className={network ? styles.warn : undefined}>
          <Icon name={network ? 'warning' : 'check'} /> {network ? 'Can use the network.' : 'No network access.'}
        </li>
      </ul>
      {notes.map((note) => (
        <p key={note} className={styles.cwd}>
          <Plain text={sentence(note)} />
        </p>
      ))}
      {environment.length > 0 && (
        <details className={styles.cwd} open={environment.length <= FEW}>
          <summary>Environment: {environment.length === 1 ? '1 variable' : `${environment.length} variables`}</summary>
          <code>
            <Plain text={environment.join(' ')} />
          </code>
        </details>
      )}
    </div>
  );
}

/** So many names are shown at once. */
const FEW = 6;

const SANDBOX: Record<SandboxLevel, string> = {
  bubblewrap: 'Runs in a sandbox: can access only this workspace and system programs.',
  landlock: 'Runs in a sandbox: can’t open other files or sockets.',
  none: 'Runs without a sandbox: can access this whole computer.',
};
