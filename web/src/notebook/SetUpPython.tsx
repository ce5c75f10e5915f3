import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import { CopyButton } from '../ui/CopyText';
import type { FoundKernels } from '../wire/gen/types';
import styles from './Kernel.module.css';

/** Says how a kernel is installed where none was found; nothing is installed by looking at it. */
export function SetUpPython({ found, onAgain }: { found: FoundKernels; onAgain(): void }) {
  const interpreter = found.without_kernel[0];
  const commands = interpreter
    ? `${quoted(interpreter)} -m pip install ipykernel`
    : 'python3 -m venv .venv\n.venv/bin/pip install ipykernel';
  return (
    <div className={styles.setUp}>
      <p>
        <strong>No kernel was found.</strong> Cells can be written and read, and saved, but not run.{' '}
        {interpreter
          ? 'There is Python in this workspace; what runs its code for notebooks is not installed in it:'
          : 'For Python, these two lines in a terminal, in the folder of this workspace, make one:'}
      </p>
      <pre>
        <Plain text={commands} />
      </pre>
      <div className={styles.buttons}>
        <CopyButton text={commands} what="the commands" />
        <Button icon="retry" onClick={onAgain}>
          Look again
        </Button>
      </div>
    </div>
  );
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
