import type { ReactNode } from 'react';
import { bytesUrl } from '../files/bytes';
import { Icon } from '../ui/Icon';
import styles from './Viewer.module.css';
import { WaySwitch } from './WaySwitch';

interface ViewerBarProps {
  path: string;
  /** Facts about the file: its size, its rows. */
  facts: ReactNode;
  children?: ReactNode;
}

/** Above a file that is shown and not edited: where it is, what it is, what can be done. */
export function ViewerBar({ path, facts, children }: ViewerBarProps) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    <div className={styles.bar} role="toolbar" aria-label={`View of ${name}`}>
      <span className={styles.path} title={path}>
        {path.split('/').join(' / ')}
      </span>
      <span className={styles.facts} role="status">
        {facts}
      </span>
      {children}
      <WaySwitch path={path} />
      <a className={styles.download} href={bytesUrl(path)} download={name} title="Download">
        <Icon name="download" />
        <span className="visually-hidden">Download {name}</span>
      </a>
    </div>
  );
}
