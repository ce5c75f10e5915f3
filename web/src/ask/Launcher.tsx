import { useRef } from 'react';
import { Plain } from '../actions/Plain';
import { runCommand } from '../app/commands';
import { keyLabel } from '../app/keymap';
import { openPalette } from '../app/shell';
import { useIcon } from '../files/kind';
import type { PaneProps } from '../frames/panes';
import { openFile } from '../frames/store';
import { useArrival } from '../frames/useArrival';
import { useIsGuest } from '../side/modes';
import { ago } from '../threads/list';
import { openThread } from '../threads/openThread';
import { Icon, type IconName } from '../ui/Icon';
import { join } from '../ui/names';
import row from '../ui/Row.module.css';
import { useConnection } from '../wire/connection';
import type { Descriptor, FileNames, Thread, WorkspacePath } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { choose } from './choose';
import styles from './Launcher.module.css';
import { recentFiles } from './recentFiles';

/** A way to begin: the command that it runs says whether there is one. */
interface Card {
  command: string;
  icon: IconName;
  title: string;
  means: string;
  /** Nothing for guests of the workspace. */
  owners?: boolean;
}

const CARDS: readonly Card[] = [
  { command: 'notebook.new', icon: 'fileNotebook', title: 'Notebook', means: 'Code, text and results', owners: true },
  { command: 'file.new', icon: 'filePlus', title: 'File', means: 'Text, code or LaTeX', owners: true },
  { command: 'note.today', icon: 'calendar', title: 'Daily note', means: 'The page of today', owners: true },
  { command: 'file.open', icon: 'search', title: 'Open file', means: 'Find a file by its name' },
];

/** Ways to begin that have a card as soon as the catalog has their action. */
const BY_ACTION: readonly (Omit<Card, 'command'> & { action: string; command?: string })[] = [
  { action: 'note.create', icon: 'fileText', title: 'Note', means: 'Links, tags and todos' },
  {
    action: 'terminal.open',
    command: 'terminal.open',
    icon: 'fileShell',
    title: 'Terminal',
    means: 'A shell in this folder',
  },
  { action: 'app.create', icon: 'full', title: 'App', means: 'A page of your own over your files' },
];

/** Rows of each list. */
const FEW = 6;

/** The ways to begin: a sentence, something new, or something recent. */
export default function Launcher({ tab }: PaneProps) {
  const guest = useIsGuest();
  const ask = useRef<HTMLButtonElement>(null);
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
          {CARDS.filter(({ owners }) => !(owners && guest)).map((card) => (
            <li key={card.command}>
              <button type="button" className={styles.card} onClick={() => runCommand(card.command)}>
                <Icon name={card.icon} size={20} />
                <span>{card.title}</span>
                <small>{card.means}</small>
              </button>
            </li>
          ))}
          {!guest && <ActionCards />}
        </ul>
        <div className={styles.lists}>
          <RecentFiles />
          {!guest && <RecentThreads />}
        </div>
      </div>
    </div>
  );
}

/** The cards of actions: each runs its command, or begins its sentence in the palette. */
function ActionCards() {
  const online = useConnection((state) => state.status === 'online');
  const { data } = useResource<Descriptor[]>(online ? 'catalog' : null);
  return BY_ACTION.map(({ action, command, icon, title, means }) => {
    const descriptor = data?.find(({ name }) => name === action);
    if (!descriptor) return null;
    const begin = () => (command ? runCommand(command) : choose({ kind: 'action', descriptor }));
    return (
      <li key={action}>
        <button type="button" className={styles.card} onClick={begin}>
          <Icon name={icon} size={20} />
          <span>{title}</span>
          <small>{means}</small>
        </button>
      </li>
    );
  });
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
