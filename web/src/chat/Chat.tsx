import { useEffect, useState } from 'react';
import { IconButton } from '../ui/Button';
import styles from './Chat.module.css';
import { ChatComposer } from './ChatComposer';
import { ChatList } from './ChatList';
import { ChatLog } from './ChatLog';
import { ChatSearch } from './ChatSearch';
import { readLatest } from './messages';
import { useSoughtMessage } from './openChat';
import { People } from './People';

/** What people say beside a document, and the way to what they say elsewhere. */
export default function Chat({ path }: { path: string | null }) {
  const [searching, setSearching] = useState(false);
  const sought = useSoughtMessage((state) => state.sought);
  useEffect(() => {
    if (path !== null) void readLatest(path);
  }, [path]);
  return (
    <section className={styles.chat} aria-label={path === null ? 'Chats' : `Chat about ${path}`}>
      <div className={styles.bar}>
        <People />
        <IconButton
          icon="search"
          label={searching ? 'Close search' : 'Search messages'}
          aria-expanded={searching}
          onClick={() => setSearching(!searching)}
        />
      </div>
      {searching ? (
        <ChatSearch path={path} onClose={() => setSearching(false)} />
      ) : path === null ? (
        <ChatList />
      ) : (
        <>
          <ChatLog key={path} path={path} sought={sought?.document === path ? sought.message : null} />
          <ChatComposer key={`to ${path}`} path={path} />
        </>
      )}
    </section>
  );
}
