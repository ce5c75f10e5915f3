import { type ComponentProps, lazy, Suspense } from 'react';
import { openView } from '../frames/store';
import type { Page } from '../frames/tree';
import { useIsGuest } from '../side/modes';
import { IconButton } from '../ui/Button';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { runCommand } from './commands';
import styles from './Nav.module.css';
import { showNav, toggleRegion, useShell } from './shell';
import { cycleTheme, useTheme } from './theme';

const FileTree = lazy(() => import('../files/FileTree'));
const SearchPanel = lazy(() => import('../search/SearchPanel'));

/** The explorer, or the search in its place. */
export function Nav({ ready }: { ready: boolean }) {
  const view = useShell(({ navView }) => navView);
  const isExplorer = view === 'files';
  return (
    <ErrorBoundary key={view} name={isExplorer ? 'Explorer' : 'Search'}>
      <Suspense fallback={null}>{ready && (isExplorer ? <FileTree /> : <SearchPanel view={view} />)}</Suspense>
    </ErrorBoundary>
  );
}

/** The strip of shapes at the edge: what can be opened beside the files. */
export function Rail() {
  const { nav, navView, width } = useShell();
  const isExplorer = navView === 'files';
  const theme = useTheme();
  const guest = useIsGuest();
  const show = (kind: Page) => {
    if (width === 'narrow') toggleRegion('nav', false);
    openView({ kind });
  };
  return (
    <div className={styles.rail}>
      {(width !== 'narrow' || !isExplorer) && (
        <Entry
          icon="files"
          word="Explorer"
          label="Explorer"
          aria-expanded={nav && isExplorer}
          onClick={() => (nav && isExplorer ? toggleRegion('nav') : showNav('files'))}
        />
      )}
      {(width !== 'narrow' || isExplorer) && (
        <Entry
          icon="search"
          word="Search"
          label="Search"
          aria-expanded={nav && !isExplorer}
          onClick={() => (nav && !isExplorer ? toggleRegion('nav') : runCommand('search.open'))}
        />
      )}
      {!guest && (
        <>
          <Entry icon="bell" word="Waiting" label="Waiting for you" onClick={() => show('needs_you')} />
          <Entry icon="tasks" word="Tasks" label="Tasks" onClick={() => show('tasks')} />
          <Entry icon="check" word="Todos" label="Todos" onClick={() => show('todos')} />
          <Entry icon="audit" word="Activity" label="Activity log" onClick={() => show('audit')} />
          <Entry icon="history" word="History" label="AI history" onClick={() => show('history')} />
        </>
      )}
      <span className={styles.gap} />
      <Entry icon="theme" word="Theme" label={`Theme: ${theme}`} onClick={cycleTheme} />
      {!guest && <Entry icon="settings" word="Settings" label="Settings" onClick={() => show('settings')} />}
    </div>
  );
}

/** A shape with its word below it, where there is room for words. */
function Entry({ word, ...button }: ComponentProps<typeof IconButton> & { word: string }) {
  return (
    <IconButton {...button} className={styles.entry}>
      <span className={styles.word} aria-hidden="true">
        {word}
      </span>
    </IconButton>
  );
}
