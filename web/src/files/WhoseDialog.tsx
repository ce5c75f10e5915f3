import { useState } from 'react';
import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Note } from '../ui/Note';
import type { FileLabel } from '../wire/gen/types';
import { type Said, sayWhose } from './labels';

interface WhoseDialogProps {
  path: string;
  known: FileLabel;
  onClose(): void;
}

/** Lets a person say whose content is in a file: what was read from outside makes graver requests ask. */
export function WhoseDialog({ path, known, onClose }: WhoseDialogProps) {
  const [busy, setBusy] = useState(false);
  const say = async (label: Said) => {
    setBusy(true);
    if (await sayWhose(path, label)) onClose();
    else setBusy(false);
  };
  const external = known.label === 'external';
  return (
    <Dialog
      title="Whose content is it?"
      onClose={onClose}
      footer={
        <>
          {known.said && (
            <Button look="quiet" disabled={busy} onClick={() => void say(null)}>
              Forget what was said
            </Button>
          )}
          <Button disabled={busy || (!external && known.said)} onClick={() => void say('workspace')}>
            It is mine
          </Button>
          <Button disabled={busy || (external && known.said)} onClick={() => void say('external')}>
            It is from outside
          </Button>
          <Button onClick={onClose} data-first-focus>
            Cancel
          </Button>
        </>
      }
    >
      <p>
        <code>
          <Plain text={path} />
        </code>{' '}
        {external ? 'counts as an untrusted source: ' : 'counts as yours: '}
        <Plain text={`${known.why}.`} />
      </p>
      <Note>
        Once the assistant has read an untrusted source, what deletes, runs, installs, grants or reaches a network asks
        you each time. What you say is yours is no longer a reason to ask.
      </Note>
    </Dialog>
  );
}
