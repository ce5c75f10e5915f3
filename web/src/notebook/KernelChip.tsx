import { lazy, Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../ui/Button';
import { Icon, type IconName } from '../ui/Icon';
import { useConnection } from '../wire/connection';
import type { KernelState } from '../wire/gen/types';
import { notebookMetadata, parsed } from './cells';
import styles from './Notebook.module.css';
import { useNotebook } from './view';

const KernelDialog = lazy(async () => ({ default: (await import('./KernelDialog')).KernelDialog }));

/** Which kernel the notebook has and how it is; it leads to choosing, restarting and ending it. */
export function KernelChip() {
  const { runs, observed } = useNotebook();
  const kernel = useStore(runs, (state) => state.kernel);
  const online = useConnection((state) => state.status === 'online');
  const [open, setOpen] = useState(false);
  const state = kernel?.state ?? 'absent';
  // Before one was ever started the file says which one it wants.
  const wanted = parsed(notebookMetadata(observed.doc, 'kernelspec'))?.display_name;
  const name = kernel?.kernel?.display_name ?? (typeof wanted === 'string' && wanted !== '' ? wanted : 'No kernel');
  const { icon, words, tone } = online ? STATES[state] : OFFLINE;
  return (
    <>
      <Button look="quiet" className={styles.kernel} data-tone={tone} onClick={() => setOpen(true)}>
        <Icon name={icon} size={14} />
        <span className="visually-hidden">Kernel: </span>
        <span className={styles.kernelName}>{name}</span>
        <span className={styles.kernelState}>{words}</span>
      </Button>
      {open && (
        <Suspense fallback={null}>
          <KernelDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

interface Look {
  icon: IconName;
  words: string;
  tone: string | undefined;
}

const OFFLINE: Look = { icon: 'cloudOff', words: 'offline', tone: 'warn' };

const STATES: Record<KernelState, Look> = {
  absent: { icon: 'bar', words: 'not running', tone: undefined },
  starting: { icon: 'spinner', words: 'starting', tone: 'accent' },
  idle: { icon: 'check', words: 'idle', tone: 'ok' },
  busy: { icon: 'spinner', words: 'busy', tone: 'accent' },
  restarting: { icon: 'spinner', words: 'restarting', tone: 'accent' },
  dead: { icon: 'error', words: 'ended', tone: 'err' },
};
