import { useRef } from 'react';
import { Plain } from '../actions/Plain';
import { keyLabel } from '../app/keymap';
import { openPalette } from '../app/shell';
import { useIcon } from '../files/kind';
import type { PaneProps } from '../frames/panes';
import { openFile } from '../frames/store';
import { useArrival } from '../frames/useArrival';
import { useSetting } from '../settings/values';
import { useIsGuest } from '../side/modes';
import { ago } from '../threads/list';
import { openThread } from '../threads/openThread';
import { Icon } from '../ui/Icon';
import { join } from '../ui/names';
import row from '../ui/Row.module.css';
import { useConnection } from '../wire/connection';
import type { FileNames, Thread, WorkspacePath } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { cardsOf } from './cards';
import styles from './Launcher.module.css';
import { LauncherCard } from './LauncherCard';
import { recentFiles } from './recentFiles';

/** Rows of each list. */
const FEW = 6;

/** The ways to begin: a sentence, something new, or something recent. */
export default function Launcher({ tab }: PaneProps) {
  const guest = useIsGuest();
  const ask = useRef<HTMLButtonElement>(null);
  const cards = cardsOf(useSetting('launcher.cards'));
  useArrival(tab, () => ask.current);
  return (
    <div className={styles.launcher}>
      <div className={styles.content}>
        <h2>Start</h2>
        <button
          ref={ask}
          type="button"
          className={styles.ask}
          onClick={() => openPalette()}
          onKeyDown={typeIntoPalette}
        >
          <Icon name="search" />
          <span>{guest ? 'Find an action or a file' : 'Describe what you want to do'}</span>
          <kbd>{keyLabel('Mod-k')}</kbd>
        </button>
        <ul className={styles.cards} aria-label="Create or open">
          {cards.map((card) => (
            <LauncherCard key={card} card={card} />
          ))}
        </ul>
        <div className={styles.lists}>
          <RecentFiles />
          {!guest && <RecentThreads />}
        </div>
      </div>
    </div>
  );
}

/** A letter that is typed on the button is the first one of the sentence. */
function typeIntoPalette(event: React.KeyboardEvent): void {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (key.length !== 1 || key === ' ' || altKey || ctrlKey || metaKey) return;
  event.preventDefault();
  openPalette('all', key);
}

function RecentFiles() {
  const online = useConnection((state) => state.status === 'online');
  const { data } = useResource<FileNames>(online ? 'files/names' : null);
  const files = data ? recentFiles(data.paths).slice(0, FEW) : [];
  if (files.length === 0) return null;
  return (
    <section aria-label="Recent files">
      <h3>Recent files</h3>
      <ul>
        {files.map((path) => (
          <li key={path}>
            <FileRow path={path} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function FileRow({ path }: { path: WorkspacePath }) {
  const icon = useIcon(path);
  const at = path.lastIndexOf('/') + 1;
  return (
    <button type="button" className={join(row.row, styles.row)} title={path} onClick={() => openFile(path)}>
      <Icon name={icon} />
      <span className={styles.name}>
        <Plain text={path.slice(at)} />
      </span>
      {at > 0 && (
        <small>
          <Plain text={path.slice(0, at - 1)} />
        </small>
      )}
    </button>
  );
}

function RecentThreads() {
  const online = useConnection((state) => state.status === 'online');
  const { data } = useResource<Thread[]>(online ? 'threads' : null);
  const threads = (data ?? []).filter(({ archived }) => !archived).slice(0, FEW);
  if (threads.length === 0) return null;
  return (
    <section aria-label="Recent threads">
      <h3>Recent threads</h3>
      <ul>
        {threads.map(({ id, title, updated }) => (
          <li key={id}>
            <button type="button" className={join(row.row, styles.row)} onClick={() => openThread(id)}>
              <Icon name="chat" />
              <span className={styles.name}>
                <Plain text={title || 'Untitled'} />
              </span>
              <small>{ago(updated, Date.now())}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
