import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { ariaKey, keyLabel } from '../app/keymap';
import { isRehearsal, modelName } from '../threads/words';
import { Icon } from '../ui/Icon';
import type { ThreadId } from '../wire/gen/types';
import styles from './ModelPicker.module.css';
import { PICK_KEY, usePicking } from './picking';
import { useModelOf } from './store';

const Picker = lazy(() => import('./Picker'));

/** The model that answers in a thread, and the way to another. There is one of it. */
export function ModelPicker({ thread }: { thread: ThreadId | null }) {
  const chosen = useModelOf(thread);
  const [open, setOpen] = useState(false);
  const [words, setWords] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  useWanted((wanted) => {
    setWords(wanted);
    setOpen(true);
  });
  const name = chosen ? modelName(chosen) : chosen === null ? 'No model' : '…';
  const scripted = !!chosen && isRehearsal(chosen);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`Model: ${name}${scripted ? ' scripted' : ''}`}
        aria-keyshortcuts={ariaKey(PICK_KEY)}
        title={`${chosen ?? 'No model'} (${keyLabel(PICK_KEY)})`}
        onClick={() => {
          setWords('');
          setOpen(!open);
        }}
      >
        <span className={styles.name}>{name}</span>
        <Icon name="chevronDown" size={14} />
      </button>
      {open && (
        <Suspense fallback={null}>
          <Picker anchor={button} thread={thread} words={words} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Opens it when somebody asks for it, by key, from the palette or from another page. */
function useWanted(open: (words: string) => void): void {
  const wanted = usePicking((state) => state.wanted);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another function each time.
  useEffect(() => {
    if (wanted === null) return;
    usePicking.setState({ wanted: null });
    open(wanted);
  }, [wanted]);
}
