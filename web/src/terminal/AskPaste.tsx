import { useState } from 'react';
import { create } from 'zustand';
import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Check } from '../ui/Field';
import { choosePreference } from './preferences';
import type { Screen } from './screen';
import styles from './TerminalView.module.css';

/** A paste that waits for the person. */
interface AskedPaste {
  readonly screen: Screen;
  readonly text: string;
  readonly lines: number;
  type(): void;
}

/** The paste that waits. */
export const useAskedPaste = create<{ asked: AskedPaste | null }>(() => ({ asked: null }));

/** The most of a paste that is shown. */
const SHOWN = 4000;

/** Asks before several lines are pasted: a shell may run each of them at once. */
export function AskPaste({ screen }: { screen: Screen }) {
  const asked = useAskedPaste((state) => state.asked);
  const [never, setNever] = useState(false);
  if (asked?.screen !== screen) return null;
  const { text, lines, type } = asked;
  const end = (paste: boolean) => {
    useAskedPaste.setState({ asked: null });
    if (paste && never) choosePreference({ askPaste: false });
    if (paste) type();
    screen.terminal.focus();
  };
  return (
    <Dialog
      title={`Paste ${lines.toLocaleString('en')} lines?`}
      onClose={() => end(false)}
      footer={
        <>
          <Button onClick={() => end(false)}>Cancel</Button>
          <Button look="primary" data-first-focus onClick={() => end(true)}>
            Paste
          </Button>
        </>
      }
    >
      <p>The program may run each line as soon as it is pasted.</p>
      <pre className={styles.pasted}>
        <Plain text={text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text} />
      </pre>
      <Check checked={never} onChange={(event) => setNever(event.target.checked)}>
        Don’t ask again
      </Check>
    </Dialog>
  );
}
