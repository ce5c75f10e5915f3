import { Plain } from '../actions/Plain';
import { sayWhose } from '../files/labels';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Note } from '../ui/Note';
import { sentence } from '../ui/sentence';
import type { InstructionFile, ThreadId } from '../wire/gen/types';
import styles from './Instructions.module.css';
import { isLeftOut, leaveOut, useWithout } from './instructions';

interface InstructionsDialogProps {
  thread: ThreadId | null;
  files: readonly InstructionFile[];
  onChanged(): void;
  onClose(): void;
}

/** Every file of standing instructions: whose it is, how much of it goes along, and whether it does. */
export function InstructionsDialog({ thread, files, onChanged, onClose }: InstructionsDialogProps) {
  const without = useWithout(thread);
  return (
    <Dialog title="Custom instructions" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <ul className={styles.files}>
        {files.map((file) => (
          <li key={file.name}>
            <label>
              <input
                type="checkbox"
                checked={!isLeftOut(file.at, without)}
                onChange={(event) => void leaveOut(thread, file, without, !event.target.checked)}
              />{' '}
              <code>
                <Plain text={file.name} />
              </code>
            </label>
            <p className={styles.about}>
              <Plain text={aboutWords(file)} />
            </p>
            {file.at.kind === 'file' && file.label === 'external' && (
              <Button look="quiet" onClick={() => void mine(file, onChanged)}>
                Trust this file
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Note>
        The assistant gets these instructions with every message in this conversation. They grant no permissions, and
        instructions that came with the files are untrusted until you trust them.
      </Note>
    </Dialog>
  );
}

async function mine({ at }: InstructionFile, onChanged: () => void): Promise<void> {
  if (at.kind === 'file' && (await sayWhose(at.path, 'workspace'))) onChanged();
}

function aboutWords({ bytes, sent, why, label, problem }: InstructionFile): string {
  if (problem) return `Couldn’t read: ${sentence(problem)}`;
  const size = sent < bytes ? `First ${sent} of ${bytes} bytes sent` : `${bytes} bytes`;
  return `${size}; ${label === 'external' ? 'untrusted source: ' : ''}${why}.`;
}
