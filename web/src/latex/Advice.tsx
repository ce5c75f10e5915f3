import type { LatexMissing, LatexState } from '../wire/gen/types';
import styles from './LatexBar.module.css';
import { counted } from './words';

/** What a document lacks that can be built all the same, and what is to be known of its build; folded. */
export function Advice({ state }: { state: LatexState }) {
  const lacking = state.missing.filter(({ required }) => !required);
  if (lacking.length + state.notes.length === 0) return null;
  const names = lacking.map(({ program }) => program).join(', ');
  return (
    <details className={styles.advice} data-tone={lacking.length > 0 ? 'warn' : undefined}>
      <summary>{lacking.length > 0 ? `Not installed: ${names}` : counted(state.notes.length, 'note')}</summary>
      <ul>
        {lacking.map((missing) => (
          <Lacking key={missing.program} missing={missing} />
        ))}
        {state.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}

function Lacking({ missing: { program, ...missing } }: { missing: LatexMissing }) {
  return (
    <li>
      <p>
        Without <code>{program}</code>, its part of the PDF is missing or out of date.
      </p>
      <HowToInstall missing={missing} />
    </li>
  );
}

/** The command that installs a program, for each system. */
export function HowToInstall({ missing }: { missing: Pick<LatexMissing, 'debian' | 'macos' | 'windows'> }) {
  return (
    <dl>
      <dt>Debian, Ubuntu</dt>
      <dd>
        <code>{missing.debian}</code>
      </dd>
      <dt>macOS</dt>
      <dd>
        <code>{missing.macos}</code>
      </dd>
      <dt>Windows</dt>
      <dd>
        <code>{missing.windows}</code>
      </dd>
    </dl>
  );
}
