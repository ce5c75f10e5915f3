import { useState } from 'react';
import { LiveOutput } from '../actions/LiveOutput';
import { Plain } from '../actions/Plain';
import { doAction } from '../app/actionFlow';
import { Button } from '../ui/Button';
import { CopyButton } from '../ui/CopyText';
import { stopAction } from '../wire/actions';
import type { ActionId, FoundKernels } from '../wire/gen/types';
import styles from './Kernel.module.css';

/** Offers to install a kernel for Python where none was found; what will be run is shown. */
export function SetUpPython({ found, onAgain }: { found: FoundKernels; onAgain(): void }) {
  const [at, setAt] = useState<'rest' | 'asked' | ActionId>('rest');
  const interpreter = found.without_kernel[0];
  const commands = interpreter
    ? `${quoted(interpreter)} -m pip install ipykernel`
    : 'python3 -m venv .venv\n.venv/bin/python -m pip install ipykernel';
  const setUp = async () => {
    setAt('asked');
    const done = await doAction({ action_type: 'kernel.setup', args: {} }, { done: 'Python is set up', begun: setAt });
    setAt('rest');
    if (done) onAgain();
  };
  const runs = at !== 'rest' && at !== 'asked';
  return (
    <div className={styles.setUp}>
      <p>
        <strong>No kernel was found.</strong> Cells can be written and read, and saved, but not run.{' '}
        {interpreter
          ? 'There is Python in this workspace; what runs its code for notebooks is not installed in it.'
          : 'For Python, an environment in this workspace is all it needs.'}{' '}
        This is what will be run, in the folder of this workspace:
      </p>
      <pre>
        <Plain text={commands} />
      </pre>
      {runs && (
        <div role="status" aria-label="What the installation says">
          <LiveOutput action={at} />
        </div>
      )}
      <div className={styles.buttons}>
        <Button look="primary" disabled={at !== 'rest'} onClick={() => void setUp()}>
          {runs ? 'Setting up …' : 'Set up Python'}
        </Button>
        {runs && (
          <Button icon="stop" onClick={() => void stopAction(at)}>
            Stop
          </Button>
        )}
        <CopyButton text={commands} what="the commands" />
        <Button icon="retry" disabled={at !== 'rest'} onClick={onAgain}>
          Look again
        </Button>
      </div>
    </div>
  );
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
