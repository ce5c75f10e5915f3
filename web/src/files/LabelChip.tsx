import { lazy, Suspense, useState } from 'react';
import styles from '../ui/Chip.module.css';
import { Icon } from '../ui/Icon';
import { useFileLabel } from './labels';

const WhoseDialog = lazy(async () => ({ default: (await import('./WhoseDialog')).WhoseDialog }));

/** Says whether a file counts as an untrusted source, and leads to saying otherwise. Nothing for what is no file here. */
export function LabelChip({ path }: { path: string }) {
  const { data } = useFileLabel(path);
  const [open, setOpen] = useState(false);
  if (!data) return null;
  const external = data.label === 'external';
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
        {external && <Icon name="warning" size={14} />}
        {external ? 'Untrusted source' : 'Yours'}
      </button>
      {open && (
        <Suspense fallback={null}>
          <WhoseDialog path={path} known={data} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
