import { runCommand } from '../app/commands';
import { keyLabel } from '../app/keymap';
import { Button } from '../ui/Button';
import styles from './EmptyPane.module.css';

const WAYS = [
  { command: 'file.open', label: 'Open a file', key: 'Mod-p' },
  { command: 'notebook.new', label: 'New notebook', key: null },
  { command: 'file.new', label: 'New file', key: null },
  { command: 'palette.open', label: 'Ask or find anything', key: 'Mod-k' },
  { command: 'assistant.focus', label: 'Describe what you want to do', key: 'Mod-j' },
] as const;

/** What a pane without tabs shows: the ways to begin. */
export function EmptyPane() {
  return (
    <div className={styles.empty}>
      <h2>Nothing is open here</h2>
      <ul>
        {WAYS.map(({ command, label, key }) => (
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
