import { Plain } from '../actions/Plain';
import { isMac, keyLabel } from '../app/keymap';
import { help } from '../problems/help';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { Opener } from '../ui/Menu';
import { useTerminal } from './known';
import { openTerminal } from './open';
import type { Screen, ScreenState } from './screen';
import styles from './TerminalView.module.css';

interface BarProps {
  screen: Screen;
  name: string;
  onFind(): void;
  onMenu(opener: Opener): void;
}

/** The bar over a terminal: its title, how it stands, what can be done. */
export function TerminalBar({ screen, name, onFind, onMenu }: BarProps) {
  const known = useTerminal(screen.id);
  const state = screen.state();
  return (
    <div className={styles.bar} role="toolbar" aria-label={`Terminal ${name}`}>
      <span className={styles.name} title={known ? `${known.shell} in ${known.cwd || 'the top folder'}` : undefined}>
        <Plain text={known?.title || name} />
      </span>
      {state.status === 'lost' && <span className={styles.note}>Reconnecting…</span>}
      {state.omitted > 0 && <span className={styles.note}>Earlier output is gone: {amount(state.omitted)}</span>}
      <OtherSize {...state} />
      {state.problem && (
        <span className={styles.problem} role="status" title={state.problem.title}>
          <Icon name="error" size={14} />
          <span>
            <Plain text={state.problem.title} />
          </span>
        </span>
      )}
      <Button
        look="quiet"
        onClick={() => void help({ logs: [{ name: `Terminal ${name}`, text: screen.textForHelp() }] }, false)}
      >
        Help me fix
      </Button>
      <IconButton icon="search" label={`Find (${keyLabel('Mod-f')})`} onClick={onFind} />
      <IconButton icon="plus" label="New terminal" onClick={() => void openTerminal()} />
      <IconButton
        icon="more"
        label="More"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => onMenu(currentTarget)}
      />
    </div>
  );
}

/** Another window, or a smaller pane, decides how large the program's screen is. */
function OtherSize({ size, fits, exit }: ScreenState) {
  if (!size || !fits || exit || (size.cols === fits.cols && size.rows === fits.rows)) return null;
  const title = 'The window that typed last has this size. Type here to take the size of this pane.';
  return (
    <span className={styles.note} title={title}>
      {size.cols} × {size.rows}
    </span>
  );
}

/** Where a link really leads: programs can write one over any words. */
export function LinkTarget({ screen }: { screen: Screen }) {
  const link = screen.state(({ link }) => link);
  if (link === null) return null;
  return (
    <div className={styles.link} role="status">
      <Plain text={link.slice(0, 300)} />
      <span> {isMac ? '⌘' : 'Ctrl'}-click to open</span>
    </div>
  );
}

function amount(bytes: number): string {
  return bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / (1 << 20)).toFixed(1)} MB`;
}
