import { Button } from '../ui/Button';
import type { FoundKernels } from '../wire/gen/types';
import styles from './Kernel.module.css';
import { SetUp } from './SetUp';

/** Offers to install a kernel for Python where none was found. */
export default function SetUpPython({ found, onAgain }: { found: FoundKernels; onAgain(): void }) {
  const again = (isUnderWay: boolean) => (
    <Button icon="retry" disabled={isUnderWay} onClick={onAgain}>
      Look again
    </Button>
  );
  return (
    <div className={styles.setUp}>
      <p>
        <strong>{found.kernels.length === 0 ? 'No kernel was found.' : 'No kernel for Python was found.'}</strong> Cells{' '}
        {found.kernels.length === 0 ? '' : 'of Python '}can be written and read, and saved, but not run. For Python, an
        environment in this workspace is all it needs.
      </p>
      <SetUp found={found} label="Set up Python…" look="primary" onAgain={onAgain} more={again} />
    </div>
  );
}
