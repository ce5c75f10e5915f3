import type { CSSProperties } from 'react';
import { openFile } from '../frames/store';
import { Icon } from '../ui/Icon';
import styles from './FileTree.module.css';
import { useIcon } from './kind';
import { startDrag } from './moves';
import type { Row } from './rows';
import { expandFolder, useFiles } from './store';

interface TreeRowProps {
  id: string;
  row: Row;
  current: boolean;
  /** A drop would go into it. */
  isTarget: boolean;
}

/** One file or folder. */
export function TreeRow({ id, row, current, isTarget }: TreeRowProps) {
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
      title={row.hidden ? 'Folders that git ignores or that programs made' : row.path}
      data-drop={isTarget || undefined}
      draggable={!row.hidden}
      onDragStart={(event) => startDrag(event, row)}
      onClick={choose}
    >
      <span className={styles.twist}>
        {row.folder && <Icon name={row.expanded ? 'chevronDown' : 'chevronRight'} />}
      </span>
      <span className={styles.icon} data-icon={row.folder ? 'folder' : icon}>
        <Icon name={row.folder ? 'folder' : icon} />
      </span>
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
