import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { ariaKey, keyLabel } from '../app/keymap';
import { isRehearsal, modelName } from '../threads/words';
import { Icon } from '../ui/Icon';
import { join } from '../ui/names';
import type { ThreadId } from '../wire/gen/types';
import styles from './ModelPicker.module.css';
import { PICK_KEY, usePicking } from './picking';
import { useModelOf } from './store';

const Picker = lazy(() => import('./Picker'));

interface ModelPickerProps {
  thread: ThreadId | null;
  /** `keyed` opens with the key; there is one of those. */
  look: 'keyed' | 'head';
}

/** The model that answers in a thread, and the way to another. */
export function ModelPicker({ thread, look }: ModelPickerProps) {
  const chosen = useModelOf(thread);
  const [open, setOpen] = useState(false);
  const [words, setWords] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  const keyed = look === 'keyed';
  useWanted(keyed, (wanted) => {
    setWords(wanted);
    setOpen(true);
  });
  const name = chosen ? modelName(chosen) : chosen === null ? 'No model' : '…';
  const scripted = !!chosen && isRehearsal(chosen) && !keyed;
  return (
    <>
      <button
        ref={button}
        type="button"
        className={join(styles.button, styles[look])}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`Model: ${name}${scripted ? ' scripted' : ''}`}
        aria-keyshortcuts={keyed ? ariaKey(PICK_KEY) : undefined}
        title={`${chosen ?? 'No model'}${keyed ? ` (${keyLabel(PICK_KEY)})` : ''}`}
        onClick={() => {
          setWords('');
          setOpen(!open);
        }}
      >
        {!keyed && <Icon name="model" size={12} />}
        <span className={styles.name}>{name}</span>
        {scripted && <span> scripted</span>}
        <Icon name="chevronDown" size={keyed ? 14 : 12} />
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
function useWanted(keyed: boolean, open: (words: string) => void): void {
  const wanted = usePicking((state) => state.wanted);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another function each time.
  useEffect(() => {
    if (!keyed || wanted === null) return;
    usePicking.setState({ wanted: null });
    open(wanted);
  }, [keyed, wanted]);
}
