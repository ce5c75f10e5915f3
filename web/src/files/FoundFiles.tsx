import { type KeyboardEvent, useMemo, useState } from 'react';
import { type Ranked, rank } from '../ask/fuzzy';
import { openFile } from '../frames/store';
import { Icon } from '../ui/Icon';
import { useWindowed } from '../ui/windowed';
import type { FileNames } from '../wire/gen/types';
import type { Resource } from '../wire/resource';
import styles from './FileTree.module.css';
import { useIcon } from './kind';
import { folderOf, nameOf } from './rows';

/** Beyond this nobody scrolls: the filter gets another letter. */
const MOST = 2000;

/** The files that the filter finds. */
export function FoundFiles({ names, query }: { names: Resource<FileNames>; query: string }) {
  const matches = useMemo(() => rank(query, names.data?.paths ?? [], (path) => path, MOST), [names.data, query]);
  const [at, setAt] = useState(0);
  const { scroller, first, end, before, height, reveal } = useWindowed<HTMLDivElement>(matches.length);
  const current = Math.min(at, matches.length - 1);
  const go = (index: number) => {
    setAt(index);
    reveal(index);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    const match = matches[current];
    if (step) go(Math.max(0, Math.min(matches.length - 1, current + step)));
    else if (event.key === 'Enter' && match) openFile(match.entry);
    else return;
    event.preventDefault();
  };
  if (names.failure) return <p className={styles.problem}>{names.failure.message}</p>;
  return (
    <div
      ref={scroller}
      className={styles.list}
      role="listbox"
      aria-label={`Files found: ${matches.length}`}
      aria-activedescendant={matches[current] ? `found-${current}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={styles.rows} role="presentation" style={{ height }}>
        <div className={styles.window} role="presentation" style={{ top: before }}>
          {matches.slice(first, end).map((match, index) => (
            <FoundFile
              key={match.entry}
              match={match}
              index={first + index}
              count={matches.length}
              current={first + index === current}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function FoundFile(props: { match: Ranked<string>; index: number; count: number; current: boolean }) {
  const { match, index, count, current } = props;
  const icon = useIcon(match.entry);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, see aria-activedescendant
    <div
      id={`found-${index}`}
      role="option"
      aria-selected={current}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={styles.row}
      title={match.entry}
      onClick={() => openFile(match.entry)}
    >
      <span className={styles.icon} data-icon={icon}>
        <Icon name={icon} />
      </span>
      <span className={styles.name}>
        <Marked match={match} />
      </span>
      <span className={styles.folder}>{folderOf(match.entry)}</span>
    </div>
  );
}

function Marked({ match }: { match: Ranked<string> }) {
  const start = match.entry.length - nameOf(match.entry).length;
  const marked = new Set(match.at);
  return [...nameOf(match.entry)].map((letter, index) => {
    const key = start + index;
    return marked.has(key) ? <mark key={key}>{letter}</mark> : <span key={key}>{letter}</span>;
  });
}
