import { openFile } from '../frames/store';
import { Button } from '../ui/Button';
import type { Failure, ObjectRef } from '../wire/gen/types';
import { Plain } from './Plain';
import styles from './RefusedUndo.module.css';
import { changedSince } from './refusedUndo';
import { Words } from './Words';

/** Why an action can’t be taken back, with what stands now in the file that it touched. */
export function RefusedUndo({ targets, failure }: { targets: readonly ObjectRef[]; failure: Failure }) {
  const lines = changedSince(failure);
  const path = targets.find((target) => target.kind === 'file')?.id;
  if (lines === null) {
    return (
      <p className={styles.why}>
        <Words text={failure.message} /> {failure.hint && <Words text={failure.hint} />}
      </p>
    );
  }
  return (
    <div className={styles.why}>
      <p>It can’t be taken back: what it changed was changed again since, and that would be lost. Nothing was done.</p>
      {lines.length > 0 && (
        <dl className={styles.now}>
          {lines.map(({ line, text }) => (
            <div key={line}>
              <dt>Line {line} now</dt>
              <dd>
                <code>
                  <Plain text={text} />
                </code>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {path && (
        <Button look="quiet" icon="file" onClick={() => openFile(path, { line: lines[0]?.line })}>
          Show in file
        </Button>
      )}
    </div>
  );
}
