import { lazy, Suspense, useState } from 'react';
import { Icon } from '../ui/Icon';
import type { ThreadId } from '../wire/gen/types';
import styles from './Chips.module.css';
import { isLeftOut, useInstructions, useWithout } from './instructions';

const InstructionsDialog = lazy(async () => ({
  default: (await import('./InstructionsDialog')).InstructionsDialog,
}));

/** Says how many files of standing instructions go along, and leads to them. Nothing where there are none. */
export function InstructionsChip({ thread }: { thread: ThreadId | null }) {
  const { data, reload } = useInstructions(thread);
  const without = useWithout(thread);
  const [open, setOpen] = useState(false);
  if (!data || data.files.length === 0) return null;
  const along = data.files.filter((file) => !isLeftOut(file.at, without)).length;
  return (
    <div className={styles.chips}>
      <button
        type="button"
        className={`${styles.chip} ${styles.opens}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="file" size={14} />
        <span className={styles.label}>
          Instructions: {along} of {data.files.length}
        </span>
      </button>
      {open && (
        <Suspense fallback={null}>
          <InstructionsDialog thread={thread} files={data.files} onChanged={reload} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
