import { Suspense, useRef, useState } from 'react';
import { useShell } from '../app/shell';
import { costWords } from '../models/money';
import { sumOf } from '../models/usage';
import { IconButton } from '../ui/Button';
import chip from '../ui/Chip.module.css';
import { Icon } from '../ui/Icon';
import { part } from '../ui/part';
import type { ThreadId } from '../wire/gen/types';
import { fullPage } from './openThread';
import { finishThread } from './send';
import { useThreads } from './state';
import { showThread, useRunning, useThreadView } from './store';
import styles from './ThreadSwitcher.module.css';

const ThreadList = part(() => import('./ThreadList'));

/** The name of the thread that is shown, the way to the others, and a new one. */
export function ThreadSwitcher({ current }: { current: ThreadId | null }) {
  const [open, setOpen] = useState(false);
  const title = useThreads((state) => (current ? state.threads.get(current)?.title : undefined));
  const toggle = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    toggle.current?.focus();
  };
  const begin = () => {
    showThread(null);
    setOpen(false);
    window.dispatchEvent(new Event('aside:compose'));
  };
  return (
    <div className={styles.header}>
      <button
        ref={toggle}
        type="button"
        className={styles.toggle}
        aria-expanded={open}
        aria-haspopup="dialog"
        aria-label={`Threads: ${title || 'New thread'}`}
        onPointerEnter={() => ThreadList.preload()}
        onClick={() => setOpen(!open)}
      >
        <span className={styles.title}>{title || 'New thread'}</span>
        <Icon name="chevronDown" />
      </button>
      <FullPage />
      <Done current={current} />
      <IconButton icon="plus" label="New thread" onClick={begin} />
      <div className={styles.facts}>
        <Hints thread={current} />
        <Spent thread={current} />
      </div>
      {open && (
        <Suspense fallback={null}>
          <ThreadList current={current} onClose={close} onLeave={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** A thread gets the whole window, and an address of its own. */
function FullPage() {
  const { width, full } = useShell();
  if (width === 'narrow') return null;
  return (
    <IconButton
      icon={full ? 'sidebar' : 'full'}
      label={full ? 'Show in side panel' : 'Full page'}
      onClick={() => fullPage(!full)}
    />
  );
}

/** What is finished is put away, and the next thing begins afresh. */
function Done({ current }: { current: ThreadId | null }) {
  const thread = useThreads((state) => (current ? state.threads.get(current) : undefined));
  const running = useRunning(current);
  if (!thread || thread.archived) return null;
  return (
    <IconButton icon="check" label="Archive thread" disabled={running} onClick={() => void finishThread(thread)} />
  );
}

/** Says of a thread of hints that it is one, for as long as it is there. */
function Hints({ thread }: { thread: ThreadId | null }) {
  const hint = useThreads((state) => (thread ? state.threads.get(thread)?.hint : false));
  if (!hint) return null;
  return (
    <span className={chip.chip} title="Hints only: the assistant changes and runs nothing in this thread">
      Hints only
    </span>
  );
}

/** What a thread has cost so far. */
function Spent({ thread }: { thread: ThreadId | null }) {
  const { turns } = useThreadView(thread);
  const words = costWords({ ...sumOf(turns.flatMap(({ cost }) => cost ?? [])), local: 0 });
  if (words === null) return null;
  return (
    <span className={styles.spent} title={`Cost of this thread: ${words}`}>
      {words}
    </span>
  );
}
