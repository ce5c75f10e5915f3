import { lazy, Suspense } from 'react';
import type { ResolvedLink } from './api';
import styles from './LinkPreview.module.css';

const NoteText = lazy(() => import('./NoteText'));

/** The first lines of a note, from the heading that a link names. */
export function LinkPreview({ found }: { found: ResolvedLink }) {
  return (
    <div className={styles.preview}>
      <p className={styles.path}>{found.to}</p>
      <Suspense fallback={null}>
        <NoteText path={found.to ?? ''} text={found.excerpt} depth={2} />
      </Suspense>
    </div>
  );
}
