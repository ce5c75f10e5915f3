import { useMemo } from 'react';
import { useIcon } from '../files/kind';
import { folderOf, nameOf } from '../files/rows';
import { IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import styles from './FindRows.module.css';
import type { FindRow } from './findRows';
import { useFind } from './findStore';
import { Marked } from './Marked';
import { lineFromMark } from './pieces';
import { ReplaceButton } from './ReplaceButton';
import { replaceAll } from './replaceAll';

interface RowProps<Kind extends FindRow['kind']> {
  id: string;
  row: Extract<FindRow, { kind: Kind }>;
  isCurrent: boolean;
  onPress(): void;
  onDismiss(): void;
}

/** A file in which something was found. */
export function FindFile({ id, row: { path, count, more, open }, isCurrent, onPress, onDismiss }: RowProps<'file'>) {
  const icon = useIcon(path);
  const isReplacing = useFind((state) => state.isReplacing);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, see aria-activedescendant
    <div
      id={id}
      role="treeitem"
      aria-level={1}
      aria-expanded={open}
      aria-selected={isCurrent}
      className={styles.item}
      title={path}
      onClick={onPress}
    >
      <Icon name={open ? 'chevronDown' : 'chevronRight'} />
      <span className={styles.icon} data-icon={icon}>
        <Icon name={icon} />
      </span>
      <span className={styles.name}>{nameOf(path)}</span>
      <span className={styles.folder}>{folderOf(path)}</span>
      <span className={styles.tools} aria-hidden="true">
        {isReplacing && (
          <ReplaceButton
            label={`Replace all in ${nameOf(path)}…`}
            tabIndex={-1}
            onClick={(event) => {
              event.stopPropagation();
              void replaceAll(path);
            }}
          />
        )}
        <Dismiss label={`Dismiss ${nameOf(path)}`} onPress={onDismiss} />
      </span>
      <span className={styles.count}>
        {count}
        {more && '+'}
      </span>
    </div>
  );
}

/** A line in which something was found. */
export function FindLine({ id, row: { path, found }, isCurrent, onPress, onDismiss }: RowProps<'line'>) {
  // An expression's groups are the server's to fill in.
  const replacement = useFind((state) => (state.isReplacing && !state.regexp ? state.replacement : undefined));
  const { text, marks } = useMemo(() => lineFromMark(found.text, found.marks), [found]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, see aria-activedescendant
    <div
      id={id}
      role="treeitem"
      aria-level={2}
      aria-selected={isCurrent}
      className={styles.item}
      title={`${path}:${found.line}`}
      onClick={onPress}
    >
      <span className={styles.number}>{found.line}</span>
      <span className={styles.text}>
        <Marked text={text} marks={marks} replacement={replacement} />
      </span>
      <span className={styles.tools} aria-hidden="true">
        <Dismiss label={`Dismiss line ${found.line}`} onPress={onDismiss} />
      </span>
    </div>
  );
}

/** For the mouse: the keyboard has Delete. */
function Dismiss({ label, onPress }: { label: string; onPress(): void }) {
  return (
    <IconButton
      icon="close"
      label={label}
      tabIndex={-1}
      className={styles.tool}
      onClick={(event) => {
        event.stopPropagation();
        onPress();
      }}
    />
  );
}
