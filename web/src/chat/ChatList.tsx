import { Notice } from '../ui/Notice';
import { Badge } from './Badge';
import styles from './Chat.module.css';
import { openChat } from './openChat';
import { useStandings } from './standings';

/** All documents that people talk beside, for when none is open. */
export function ChatList() {
  const standings = useStandings((state) => state.standings);
  if (standings.length === 0) {
    return (
      <Notice icon="chat" title="Open a file to chat about it">
        <p>Each file has a chat for the people who work on it.</p>
      </Notice>
    );
  }
  return (
    <ul className={styles.list}>
      {standings.map(({ chat, unread, mentions }) => (
        <li key={chat.id}>
          <button type="button" className={styles.entry} onClick={() => openChat(chat.document)}>
            <span className={styles.path}>{chat.document}</span>
            <Badge unread={unread} mentions={mentions} />
            <time>{new Date(chat.updated).toLocaleDateString()}</time>
          </button>
        </li>
      ))}
    </ul>
  );
}
