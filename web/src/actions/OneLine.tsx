import type { ActionRecord } from '../wire/gen/types';
import styles from './OneLine.module.css';
import { oneLineOf } from './oneLine';
import { Plain } from './Plain';

/** A change of one line, in one line; nothing for other changes. */
export function OneLine({ record }: { record: ActionRecord }) {
  const change = oneLineOf(record);
  if (!change) return null;
  const { old, now, oldWords, nowWords } = change;
  const whole = [old !== null && `− ${old}`, now !== null && `+ ${now}`].filter(Boolean).join('\n');
  return (
    <span className={styles.change} title={whole}>
      {oldWords !== '' && (
        <del>
          <Plain text={oldWords} />
        </del>
      )}
      {nowWords !== '' && (
        <ins>
          <Plain text={nowWords} />
        </ins>
      )}
    </span>
  );
}
