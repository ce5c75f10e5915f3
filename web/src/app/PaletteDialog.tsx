import { Suspense, useState } from 'react';
import { PaletteField } from '../ask/PaletteField';
import { Dialog } from '../ui/Dialog';
import { isGuest } from './session';
import { type PaletteMode, useShell } from './shell';
import { Palette } from './slots';

const WORDS: Record<PaletteMode, string> = {
  all: 'Ask Aside, or find an action or a file',
  files: 'Open a file',
  recent: 'Open a recent file',
  compare: 'Compare with a file',
  lines: 'Threads that changed these lines',
};

/** The palette: at first its field alone, and what is typed into that is taken over, Enter too. */
export function PaletteDialog({ mode, onClose }: { mode: PaletteMode; onClose(): void }) {
  const [typed, setTyped] = useState(() => useShell.getState().typed);
  const [entered, setEntered] = useState(false);
  const words = mode === 'all' && isGuest() ? 'Find a command or file' : WORDS[mode];
  const field = (
    <PaletteField
      words={words}
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value);
        setEntered(false);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') setEntered(true);
      }}
    />
  );
  return (
    <Dialog title={words} look="palette" onClose={onClose}>
      <Suspense fallback={field}>
        <Palette mode={mode} words={words} typedBefore={typed} enteredBefore={entered} onClose={onClose} />
      </Suspense>
    </Dialog>
  );
}
