import { doAction } from '../app/actionFlow';
import { openFile } from '../frames/store';
import { Button } from '../ui/Button';
import type { Failure, ObjectRef } from '../wire/gen/types';
import { Plain } from './Plain';
import styles from './RefusedUndo.module.css';
import { changedSince, type RefusedFiles, refusedFiles } from './refusedUndo';
import { Words } from './Words';

/** Why an action can’t be taken back, with what stands now in the file that it touched. */
export function RefusedUndo({ targets, failure }: { targets: readonly ObjectRef[]; failure: Failure }) {
  const lines = changedSince(failure);
  const refused = refusedFiles(failure);
  const path = targets.find((target) => target.kind === 'file')?.id;
  if (refused) return <Files {...refused} />;
  if (lines === null) {
    return (
      <p className={styles.why}>
        <Words text={failure.message} /> {failure.hint && <Words text={failure.hint} />}
      </p>
    );
  }
  return (
    <div className={styles.why}>
      <p>Can’t undo: later changes to the same lines would be lost. Nothing was changed.</p>
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

/** The files that a command’s way back would lose something of; the others can go back without them. */
function Files({ files, snapshot }: RefusedFiles) {
  const others = { action_type: 'snapshot.restore', args: { snapshot, leave_changed: true } };
  return (
    <div className={styles.why}>
      <p>Can’t undo everything: later changes to these files would be lost. Nothing was changed.</p>
      <ul className={styles.files} aria-label="Files with later changes">
        {files.map(({ path, why }) => (
          <li key={path}>
            <button type="button" className={styles.file} title="Show in file" onClick={() => openFile(path)}>
              <Plain text={path} />
            </button>{' '}
            <span>
              <Plain text={why} />
            </span>
          </li>
        ))}
      </ul>
      <Button look="quiet" icon="undo" onClick={() => void doAction(others, { done: 'Other files restored' })}>
        Restore the other files
      </Button>
    </div>
  );
}
