import { keyLabel } from '../app/keymap';
import { MODE_KEYS } from './commands';
import styles from './ModeSwitch.module.css';
import { type MarkdownMode, setMode, useMarkdownMode } from './mode';

const MODES: readonly { mode: MarkdownMode; name: string; tip: string }[] = [
  { mode: 'live', name: 'Live', tip: 'Live preview' },
  { mode: 'source', name: 'Source', tip: `Source (${keyLabel(MODE_KEYS.source)})` },
  { mode: 'reading', name: 'Reading', tip: `Reading view (${keyLabel(MODE_KEYS.reading)})` },
];

/** Chooses how a Markdown file is shown. */
export function ModeSwitch({ path }: { path: string }) {
  const now = useMarkdownMode(path);
  return (
    <fieldset className={styles.modes} aria-label="View of this file">
      {MODES.map(({ mode, name, tip }) => (
        <button key={mode} type="button" aria-pressed={mode === now} title={tip} onClick={() => setMode(path, mode)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
