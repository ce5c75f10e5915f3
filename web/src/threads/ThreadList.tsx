import { useEffect, useId, useRef, useState } from 'react';
import { basePath } from '../app/base';
import { linkTo } from '../app/history';
import { useSideDocument } from '../side/modes';
import { Button } from '../ui/Button';
import { CopyButton } from '../ui/CopyText';
import { Input } from '../ui/Field';
import { ReadState } from '../ui/ReadState';
import { useKeepFocus } from '../ui/useKeepFocus';
import { useConnection } from '../wire/connection';
import type { Thread, ThreadId } from '../wire/gen/types';
import { ago, fileName, groupThreads } from './list';
import { SaidIn } from './SaidIn';
import { archiveThread, deleteThread, renameThread } from './send';
import { useThreads } from './state';
import { readThreads, showThread, useWaitingThreads } from './store';
import styles from './ThreadSwitcher.module.css';

interface ThreadListProps {
  current: ThreadId | null;
  /** Closes it and gives the focus back. */
  onClose(): void;
  /** Closes it because the focus is elsewhere. */
  onLeave(): void;
}

/** All threads by how they stand, found by their names and by what was said in them. */
export default function ThreadList({ current, onClose, onLeave }: ThreadListProps) {
  const [query, setQuery] = useState('');
  const [archived, setArchived] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const threads = useThreads((state) => state.threads);
  const listed = useThreads((state) => state.listed);
  const unlisted = useThreads((state) => state.unlisted);
  const running = useConnection((state) => state.running);
  const standing = { waiting: useWaitingThreads(), running, path: useSideDocument() };
  const groups = groupThreads(threads.values(), standing, query, archived);
  useCloseOutside(panel, onLeave);
  useKeepFocus(panel);
  return (
    <div
      ref={panel}
      tabIndex={-1}
      role="dialog"
      aria-label="Threads"
      className={styles.panel}
      onBlur={(event) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) onLeave();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          onClose();
        }
        moveInList(event, panel.current);
      }}
    >
      <input
        type="search"
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for this list.
        autoFocus
        className={styles.search}
        aria-label="Search threads"
        placeholder="Search threads"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <div className={styles.groups}>
        {groups.map(({ group, threads }) => (
          <Group key={group} name={group} threads={threads} current={current} onClose={onClose} />
        ))}
        {unlisted && (
          <div className={styles.none}>
            <ReadState shown={listed} loading={false} failure={unlisted} onAgain={readThreads} />
          </div>
        )}
        {groups.length === 0 && !unlisted && <p className={styles.none}>{query ? 'No matches.' : 'No threads yet.'}</p>}
        <SaidIn
          query={query}
          listed={new Set(groups.flatMap(({ threads }) => threads.map(({ id }) => id)))}
          onClose={onClose}
        />
      </div>
      <label className={styles.archived}>
        <input type="checkbox" checked={archived} onChange={(event) => setArchived(event.target.checked)} />
        Show archived
      </label>
    </div>
  );
}

function Group(props: { name: string; threads: readonly Thread[]; current: ThreadId | null; onClose(): void }) {
  const { name, threads, current, onClose } = props;
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.group}>
        {name}
      </h3>
      <ul className={styles.list}>
        {threads.map((thread) => (
          <Entry key={thread.id} thread={thread} current={thread.id === current} onClose={onClose} />
        ))}
      </ul>
    </section>
  );
}

function Entry({ thread, current, onClose }: { thread: Thread; current: boolean; onClose(): void }) {
  const [renaming, setRenaming] = useState(false);
  const show = () => {
    showThread(thread.id);
    onClose();
  };
  if (renaming) return <Rename thread={thread} onDone={() => setRenaming(false)} />;
  const title = thread.title || 'Untitled';
  return (
    <li className={styles.entry}>
      <button type="button" className={styles.show} aria-current={current} data-thread onClick={show}>
        <span className={styles.title}>{title}</span>
      </button>
      <span className={styles.detail}>
        {thread.document && <>{thread.document.split('/').at(-1)} · </>}
        {ago(thread.updated, Date.now())}
      </span>
      <span className={styles.tools}>
        <CopyButton text={linkTo({ kind: 'thread', thread: thread.id })} what={`link to ${title}`} shown="Link" />
        <a
          className={styles.export}
          href={`${basePath}api/v1/threads/${thread.id}/markdown`}
          download={`${fileName(title)}.md`}
          aria-label={`Export ${title} as Markdown`}
        >
          Export
        </a>
        <Button look="quiet" aria-label={`Rename ${title}`} onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <Button
          look="quiet"
          aria-label={`${thread.archived ? 'Unarchive' : 'Archive'} ${title}`}
          onClick={() => void archiveThread(thread.id, !thread.archived)}
        >
          {thread.archived ? 'Unarchive' : 'Archive'}
        </Button>
        <Button look="quiet" aria-label={`Delete ${title}…`} onClick={() => void deleteThread(thread)}>
          Delete…
        </Button>
      </span>
    </li>
  );
}

function Rename({ thread, onDone }: { thread: Thread; onDone(): void }) {
  const [title, setTitle] = useState(thread.title);
  const save = async () => {
    // What was not saved stays, with what was typed.
    if (title.trim() === '' || (await renameThread(thread.id, title.trim()))) onDone();
  };
  return (
    <li>
      <form
        className={styles.rename}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Input
          autoFocus
          aria-label="Title"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.stopPropagation();
              onDone();
            }
          }}
        />
        <Button type="submit">Rename</Button>
      </form>
    </li>
  );
}

function useCloseOutside(panel: React.RefObject<HTMLElement | null>, close: () => void): void {
  useEffect(() => {
    const onDown = (event: MouseEvent) => {
      const target = event.target as Element;
      if (!panel.current?.contains(target) && !target.closest('[aria-haspopup="dialog"]')) close();
    };
    document.addEventListener('mousedown', onDown);
    return () => document.removeEventListener('mousedown', onDown);
  });
}

/** Arrows walk the list from the search field on. */
function moveInList(event: React.KeyboardEvent, panel: HTMLElement | null): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const entries = [...(panel?.querySelectorAll<HTMLElement>('[data-thread]') ?? [])];
  const at = entries.indexOf(document.activeElement as HTMLElement);
  const next = entries[event.key === 'ArrowDown' ? at + 1 : at - 1];
  if (next) {
    event.preventDefault();
    next.focus();
  }
}
