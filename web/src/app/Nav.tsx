import { lazy, Suspense } from 'react';
import { openView } from '../frames/store';
import type { Page } from '../frames/tree';
import { useIsGuest } from '../side/modes';
import { IconButton } from '../ui/Button';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import styles from './Nav.module.css';
import { toggleRegion, useShell } from './shell';
import { cycleTheme, useTheme } from './theme';

const FileTree = lazy(() => import('../files/FileTree'));

/** The explorer. */
export function Nav({ ready }: { ready: boolean }) {
  return (
    <ErrorBoundary name="Explorer">
      <Suspense fallback={null}>{ready && <FileTree />}</Suspense>
    </ErrorBoundary>
  );
}

/** The strip of shapes at the edge: what can be opened beside the files. */
export function Rail() {
  const { nav, width } = useShell();
  const theme = useTheme((state) => state.theme);
  const guest = useIsGuest();
  const show = (kind: Page) => {
    if (width === 'narrow') toggleRegion('nav', false);
    openView({ kind });
  };
  return (
    <div className={styles.rail}>
      {width !== 'narrow' && (
        <IconButton icon="files" label="Explorer" aria-expanded={nav} onClick={() => toggleRegion('nav')} />
      )}
      {!guest && (
        <>
          <IconButton icon="hand" label="Waiting for you" onClick={() => show('needs_you')} />
          <IconButton icon="tasks" label="Tasks" onClick={() => show('tasks')} />
          <IconButton icon="audit" label="Activity log" onClick={() => show('audit')} />
          <IconButton icon="clock" label="AI history" onClick={() => show('history')} />
        </>
      )}
      <span className={styles.gap} />
      <IconButton icon="theme" label={`Theme: ${theme}`} onClick={cycleTheme} />
      {!guest && <IconButton icon="model" label="Settings" onClick={() => show('models')} />}
    </div>
  );
}
