import { lazy, Suspense, useState } from 'react';
import styles from '../ui/Chip.module.css';
import { Icon } from '../ui/Icon';
import type { Label } from '../wire/gen/types';
import { useFileLabel } from './labels';

const WhoseDialog = lazy(async () => ({ default: (await import('./WhoseDialog')).WhoseDialog }));

const WHOSE: Record<Label, string> = {
  external: 'Untrusted source',
  model: 'Written by assistant',
  user: 'Yours',
  workspace: 'Yours',
};

/** Says whether a file counts as an untrusted source, and leads to saying otherwise. Nothing for what is no file here. */
export function LabelChip({ path }: { path: string }) {
  const { data } = useFileLabel(path);
  const [open, setOpen] = useState(false);
  if (!data) return null;
  return (
    <>
      <button
        type="button"
        className={styles.chip}
        data-label={data.label}
        aria-haspopup="dialog"
        title={`${data.why}. Change…`}
        onClick={() => setOpen(true)}
      >
        {data.label === 'external' && <Icon name="warning" size={14} />}
        {WHOSE[data.label]}
      </button>
      {open && (
        <Suspense fallback={null}>
          <WhoseDialog path={path} known={data} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
