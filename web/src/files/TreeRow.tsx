import type { CSSProperties } from 'react';
import { openFile } from '../frames/store';
import { Icon } from '../ui/Icon';
import styles from './FileTree.module.css';
import { useIcon } from './kind';
import type { Row } from './rows';
import { expandFolder, useFiles } from './store';

/** One file or folder. */
export function TreeRow({ id, row, current }: { id: string; row: Row; current: boolean }) {
  const icon = useIcon(row.path);
  const choose = () => {
    useFiles.setState({ current: row.path });
    if (row.folder) expandFolder(row.path, !row.expanded);
    else openFile(row.path);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, see aria-activedescendant
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.folder ? row.expanded : undefined}
      aria-selected={current}
      aria-label={labelOf(row)}
      className={row.ignored ? `${styles.row} ${styles.ignored}` : styles.row}
      style={{ '--indent': row.level - 1 } as CSSProperties}
      title={row.path}
      onClick={choose}
    >
      {row.folder ? <Icon name={row.expanded ? 'chevronDown' : 'chevronRight'} /> : <Icon name={icon} />}
      <span className={styles.name}>{row.name}</span>
      {row.link && <Icon name="link" size={12} />}
      {row.waiting && <span className={styles.note}>loading…</span>}
      {row.failure && <span className={styles.note}>unreadable</span>}
    </div>
  );
}

function labelOf(row: Row): string {
  const notes = [row.ignored && 'ignored by git', row.link && 'link', row.failure?.message].filter(Boolean);
  return [row.name, ...notes].join(', ');
}
