import type { ActionRecord } from '../wire/gen/types';
import { oneLineOf } from './card';
import styles from './OneLine.module.css';
import { Plain } from './Plain';

/** A change of one line, in one line; nothing for other changes. */
export function OneLine({ record }: { record: ActionRecord }) {
  const change = oneLineOf(record);
  if (!change) return null;
  const { old, now } = change;
  return (
    <span
      className={styles.change}
      title={[old !== null && `− ${old}`, now !== null && `+ ${now}`].filter(Boolean).join('\n')}
    >
      {old !== null && (
        <del>
          <Plain text={old.trim()} />
        </del>
      )}
      {now !== null && (
        <ins>
          <Plain text={now.trim()} />
        </ins>
      )}
    </span>
  );
}
