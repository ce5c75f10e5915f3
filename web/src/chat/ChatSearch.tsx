import { useEffect, useState } from 'react';
import { Input, Select } from '../ui/Field';
import { ReadState } from '../ui/ReadState';
import type { ChatFound } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './Chat.module.css';
import { openChat } from './openChat';

/** Milliseconds of quiet after which what was typed is looked for. */
const PAUSE = 200;

interface ChatSearchProps {
  path: string | null;
  /** It is left, or a message was chosen. */
  onClose(): void;
}

/** Finds what was said, beside this document or anywhere. */
export function ChatSearch({ path, onClose }: ChatSearchProps) {
  const [words, setWords] = useState('');
  const [everywhere, setEverywhere] = useState(path === null);
  const query = useSettled(words.trim());
  const within = everywhere || path === null ? '' : `&document=${encodeURIComponent(path)}`;
  const found = useResource<ChatFound[]>(query === '' ? null : `chats/search?q=${encodeURIComponent(query)}${within}`);
  const choose = ({ chat, message }: ChatFound) => {
    openChat(chat.document, message.id);
    onClose();
  };
  return (
    <search
      className={styles.search}
      aria-label="Messages"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div className={styles.row}>
        <Input
          type="search"
          autoFocus
          aria-label="Search messages"
          placeholder="Search messages"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        {path !== null && (
          <Select
            aria-label="Search in"
            value={everywhere ? 'all' : 'here'}
            onChange={(event) => setEverywhere(event.target.value === 'all')}
          >
            <option value="here">This file</option>
            <option value="all">All files</option>
          </Select>
        )}
      </div>
      {query !== '' && (
        <ReadState shown={!!found.data} loading={found.loading} failure={found.failure} onAgain={found.reload} />
      )}
      {query !== '' && found.data?.length === 0 && <p className={styles.none}>No matches.</p>}
      <ul className={styles.list}>
        {query !== '' &&
          found.data?.map((each) => <Hit key={each.message.id} found={each} onChoose={() => choose(each)} />)}
      </ul>
    </search>
  );
}

function Hit({ found: { chat, message }, onChoose }: { found: ChatFound; onChoose(): void }) {
  return (
    <li>
      <button type="button" className={styles.hit} onClick={onChoose}>
        <span className={styles.who}>
          <strong>{message.author.name}</strong>
          <span className={styles.path}>{chat.document}</span>
          <time>{new Date(message.at).toLocaleDateString()}</time>
        </span>
        <span className={styles.snippet}>{message.text}</span>
      </button>
    </li>
  );
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
