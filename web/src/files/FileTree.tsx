import { useDeferredValue, useEffect, useId, useState } from 'react';
import { isGuest } from '../app/session';
import { IconButton } from '../ui/Button';
import type { FileNames } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { currentFolder, startNew, useEditing } from './editing';
import styles from './FileTree.module.css';
import { FoundFiles } from './FoundFiles';
import { readOpenFolders } from './store';
import { Tree } from './Tree';
import { chooseFiles } from './uploads';

/** The explorer: a filter, and the tree of folders or what the filter finds. */
export default function FileTree() {
  const [query, setQuery] = useState('');
  const shown = useDeferredValue(query);
  const field = useId();
  const names = useResource<FileNames>(query ? 'files/names' : null);
  const isNaming = useEditing(({ editing }) => editing !== null);
  useEffect(readOpenFolders, []);
  // The field for a new name stands in the tree.
  useEffect(() => {
    if (isNaming) setQuery('');
  }, [isNaming]);
  return (
    <div className={styles.explorer}>
      <div className={styles.tools}>
        <h2>Explorer</h2>
        {!isGuest() && (
          <>
            <IconButton icon="filePlus" label="New file" onClick={() => startNew('file')} />
            <IconButton icon="folderPlus" label="New folder" onClick={() => startNew('folder')} />
            <IconButton icon="upload" label="Upload files" onClick={() => chooseFiles(currentFolder())} />
          </>
        )}
      </div>
      <div className={styles.filter}>
        <label className="visually-hidden" htmlFor={field}>
          Filter files
        </label>
        <input
          id={field}
          type="search"
          placeholder="Filter files"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
        />
      </div>
      {query ? <FoundFiles names={names} query={shown} /> : <Tree />}
      {query && names.data?.truncated && (
        <p className={styles.empty}>Too many files to search. Some matches may be missing.</p>
      )}
    </div>
  );
}
