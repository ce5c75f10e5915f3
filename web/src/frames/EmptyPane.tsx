import { runCommand } from '../app/commands';
import { keyLabel } from '../app/keymap';
import { isGuest } from '../app/session';
import { Button } from '../ui/Button';
import styles from './EmptyPane.module.css';

const WAYS = [
  { command: 'file.open', label: 'Open file', key: 'Mod-p', owners: false },
  { command: 'notebook.new', label: 'New notebook', key: null, owners: true },
  { command: 'file.new', label: 'New file', key: null, owners: true },
  { command: 'palette.open', label: 'Command palette', key: 'Mod-k', owners: false },
  { command: 'assistant.focus', label: 'Ask the assistant', key: 'Mod-j', owners: true },
] as const;

/** What a pane without tabs shows: the ways to begin. */
export function EmptyPane() {
  return (
    <div className={styles.empty}>
      <h2>No open tabs</h2>
      <ul>
        {WAYS.filter(({ owners }) => !(owners && isGuest())).map(({ command, label, key }) => (
          <li key={command}>
            <Button look="quiet" onClick={() => runCommand(command)}>
              {label}
              {key && <kbd>{keyLabel(key)}</kbd>}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
