import { type CSSProperties, useEffect, useRef } from 'react';
import { type Editing, finishEditing, stopEditing } from './editing';
import styles from './FileTree.module.css';
import { nameOf } from './rows';

/** The field in which a name is typed: Enter does it, Escape or leaving the field does not. */
export function NameField({ editing }: { editing: Editing }) {
  const field = useRef<HTMLInputElement>(null);
  const old = textOf(editing);
  const path = 'path' in editing ? editing.path : `${editing.folder}/x`;
  useEffect(() => {
    const input = field.current;
    const tree = input?.closest<HTMLElement>('[tabindex]');
    input?.focus();
    const dot = old.lastIndexOf('.');
    input?.setSelectionRange(0, dot > 0 ? dot : old.length);
    return () => tree?.focus();
  }, [old]);
  const level = path.split('/').filter(Boolean).length - 1;
  return (
    <div className={styles.row} role="presentation" style={{ '--indent': level } as CSSProperties}>
      <input
        ref={field}
        className={styles.input}
        defaultValue={old}
        aria-label={labelOf(editing)}
        autoComplete="off"
        spellCheck={false}
        onBlur={stopEditing}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void finishEditing(editing, event.currentTarget.value);
          else if (event.key === 'Escape') stopEditing();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    </div>
  );
}

/** The text to begin with. */
function textOf(editing: Editing): string {
  if (editing.kind === 'rename') return nameOf(editing.path);
  if (editing.kind === 'move') return editing.path;
  return (editing.kind === 'file' && editing.name) || '';
}

function labelOf(editing: Editing): string {
  switch (editing.kind) {
    case 'rename':
      return `New name for ${nameOf(editing.path)}`;
    case 'move':
      return `New path of ${nameOf(editing.path)}`;
    case 'file':
      return `Name of the new file${editing.folder && ` in ${editing.folder}`}`;
    case 'folder':
      return `Name of the new folder${editing.folder && ` in ${editing.folder}`}`;
  }
}
