import { useEffect, useState } from 'react';
import { openView } from '../frames/store';
import { useTasksWaiting } from '../tasks/waiting';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { connection } from '../wire/connection';
import type { Session } from '../wire/gen/types';
import { NEEDS_YOU_KEY } from './commandList';
import { keyLabel } from './keymap';
import { openPalette, toggleRegion, useShell } from './shell';
import styles from './TopBar.module.css';

/** The bar at the top: the workspace's name, the way to everything, what needs the person. */
export function TopBar({ session }: { session: Session | null }) {
  const { width, side } = useShell();
  return (
    <header className={styles.top} data-region="top">
      {width === 'narrow' && <IconButton icon="menu" label="Files" onClick={() => toggleRegion('nav', true)} />}
      <h1 className={styles.name}>{session?.workspace ?? 'Aside'}</h1>
      <button type="button" className={styles.ask} onClick={() => openPalette()} data-first-focus>
        <Icon name="search" />
        <span>Ask Aside or find…</span>
        <kbd>{keyLabel('Mod-k')}</kbd>
      </button>
      <div className={styles.end}>
        <NeedsYou />
        <IconButton
          icon="sidebar"
          label={side ? 'Hide the assistant' : 'Show the assistant'}
          aria-expanded={side}
          onClick={() => toggleRegion('side')}
        />
      </div>
    </header>
  );
}

/** How many actions and plans wait for a decision; takes the person there. */
function NeedsYou() {
  const [actions, setActions] = useState(0);
  useEffect(() => connection.on('needs_you', (frame) => setActions(frame.count)), []);
  const tasks = useTasksWaiting().length;
  if (actions + tasks === 0) return null;
  return (
    <Button
      icon="hand"
      className={styles.needs}
      title={`Needs you (${keyLabel(NEEDS_YOU_KEY)})`}
      onClick={() => openView({ kind: 'needs_you' })}
    >
      {actions + tasks}
      <span className="visually-hidden">{waitingWords(actions, tasks)}</span>
    </Button>
  );
}

function waitingWords(actions: number, tasks: number): string {
  const what = actions === 0 ? 'task' : tasks === 0 ? 'action' : 'actions and task';
  return actions + tasks === 1 ? ` ${what} needs you` : ` ${what}s need you`;
}
