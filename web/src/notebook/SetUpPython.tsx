import { Button } from '../ui/Button';
import type { FoundKernels } from '../wire/gen/types';
import styles from './Kernel.module.css';
import { SetUp } from './SetUp';

/** Offers to install a kernel for Python where none was found. */
export default function SetUpPython({ found, onAgain }: { found: FoundKernels; onAgain(): void }) {
  const again = (isUnderWay: boolean) => (
    <Button icon="retry" disabled={isUnderWay} onClick={onAgain}>
      Refresh
    </Button>
  );
  return (
    <div className={styles.setUp}>
      <p>
        <strong>{found.kernels.length === 0 ? 'No kernel found.' : 'No Python kernel found.'}</strong> You can edit and
        save {found.kernels.length === 0 ? '' : 'Python '}cells, but not run them. To run Python, set up an environment
        in this workspace.
      </p>
      <SetUp found={found} label="Set up Python…" look="primary" onAgain={onAgain} more={again} />
    </div>
  );
}
