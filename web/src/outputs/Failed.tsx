import { HelpMeFix } from '../problems/HelpMeFix';
import type { CellOutput } from '../wire/gen/types';
import type { OutputPlace } from './Outputs';
import styles from './Outputs.module.css';
import { Terminal } from './Terminal';
import { plainText } from './terminal';

type ErrorOutput = Extract<CellOutput, { type: 'error' }>;

/** What the code failed with: the last line first in mind, so it stands at the end; and ways to get help. */
export function Failed({ at, output }: { at: OutputPlace; output: ErrorOutput }) {
  const { name, value, traceback } = output;
  const last = value === '' ? name : `${name}: ${value}`;
  const text = traceback === '' ? last : traceback;
  return (
    <div className={styles.failed}>
      <Terminal text={text} label={`Error: ${last}`} end="always" />
      <div className={styles.help}>
        <HelpMeFix
          at={{ path: at.path, cell: at.cell }}
          logs={[{ name: `a cell of ${at.path}`, text: withEnd(plainText(text), last) }]}
        />
      </div>
    </div>
  );
}

/** A traceback may end before what it ended with. */
function withEnd(text: string, last: string): string {
  return text.trimEnd().endsWith(last.trimEnd()) ? text : `${text}\n${last}`;
}
