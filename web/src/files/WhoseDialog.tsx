import { useState } from 'react';
import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Note } from '../ui/Note';
import type { FileLabel, Label } from '../wire/gen/types';
import { type Said, sayWhose } from './labels';

const IS: Record<Label, string> = {
  external: 'is an untrusted source:',
  model: 'is yours, with changes by the assistant:',
  user: 'is yours:',
  workspace: 'is yours:',
};

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
      title="Source of this file"
      onClose={onClose}
      footer={
        <>
          {known.said && (
            <Button look="quiet" disabled={busy} onClick={() => void say(null)}>
              Reset
            </Button>
          )}
          <Button disabled={busy || (!known.untrusted && known.said)} onClick={() => void say('workspace')}>
            Mark as yours
          </Button>
          <Button disabled={busy || (external && known.said)} onClick={() => void say('external')}>
            Mark as untrusted
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
        {IS[known.label]} <Plain text={`${known.why}.`} />
      </p>
      <Note>
        After the assistant reads an untrusted source, you approve each action that deletes, runs, installs, grants
        access or uses the network.{' '}
        {known.untrusted && !external
          ? 'This file causes it too, because untrusted content led to what is in it. Mark it as yours to stop that.'
          : 'A file marked as yours does not cause this.'}
      </Note>
    </Dialog>
  );
}
