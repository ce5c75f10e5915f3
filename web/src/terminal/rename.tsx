/** The dialog that names a terminal. */
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Field, Input } from '../ui/Field';
import { knownTerminal, renameTerminal } from './known';
import { LONGEST_NAME } from './names';

/** Lets the person name a terminal. */
export function askName(id: string): void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const close = () =>
    queueMicrotask(() => {
      root.unmount();
      place.remove();
    });
  root.render(<RenameTerminal id={id} onClose={close} />);
}

function RenameTerminal({ id, onClose }: { id: string; onClose(): void }) {
  const [name, setName] = useState(() => knownTerminal(id)?.name ?? '');
  const rename = () => {
    renameTerminal(id, name);
    onClose();
  };
  return (
    <Dialog
      title="Rename terminal"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" onClick={rename}>
            Rename
          </Button>
        </>
      }
    >
      <Field label="Name. Leave it empty for the name of the shell.">
        {(field) => (
          <Input
            id={field}
            data-first-focus
            value={name}
            maxLength={LONGEST_NAME}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && rename()}
          />
        )}
      </Field>
    </Dialog>
  );
}
