import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { More } from '../ui/More';
import { Notice } from '../ui/Notice';
import { ReadState } from '../ui/ReadState';
import { Unread } from '../ui/Unread';
import styles from './Chat.module.css';
import { Message } from './Message';
import { dayWords, groupsOf } from './merge';
import { readBackTo, readLatest, readOlder, readUpTo, useRead } from './messages';
import { useSoughtMessage } from './openChat';
import { useStanding, useStandings } from './standings';

/** Pixels from the end within which one is at the end. */
const NEAR = 40;

interface ChatLogProps {
  path: string;
  /** A message to go to. */
  sought: string | null;
}

/** The messages beside a document; it stays at the end unless the person has scrolled away. */
export function ChatLog({ path, sought }: ChatLogProps) {
  const read = useRead(path);
  const me = useStandings((state) => state.me);
  const messages = read?.messages ?? [];
  const scroller = useRef<HTMLDivElement>(null);
  const { atEnd, toEnd } = useEnd(scroller, messages.at(-1)?.id, messages[0]?.id);
  const unreadFrom = useUnreadFrom(path, read !== null && !read.loading);
  const older = useOlder(path, scroller);
  useMarkRead(path, messages.at(-1)?.id, atEnd);
  useSpoken(messages.at(-1)?.id, path, me);
  useSought(path, sought);
  const groups = groupsOf(messages, unreadFrom);
  const again = () => void readLatest(path);
  return (
    <div className={styles.frame}>
      <div className={styles.state}>
        <ReadState
          shown={messages.length > 0}
          loading={read?.loading ?? true}
          failure={messages.length > 0 ? read?.failure : null}
          onAgain={again}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
      <div ref={scroller} className={styles.log} role="log" aria-live="off" aria-label="Messages" tabIndex={0}>
        {read?.more && <More busy={older.busy} onSeen={older.read} />}
        {groups.map((group) => (
          <Fragment key={group.first.id}>
            {group.newDay && <h3 className={styles.day}>{dayWords(group.first.at, Date.now())}</h3>}
            {group.first.id === unreadFrom && <p className={styles.new}>New</p>}
            {group.messages.map((message) => (
              <Message key={message.id} path={path} message={message} first={message === group.first} />
            ))}
          </Fragment>
        ))}
        {messages.length === 0 && read && !read.loading && !read.failure && <Empty />}
        {messages.length === 0 && read?.failure && (
          <Unread title="Couldn’t load the messages" failure={read.failure} onAgain={again} />
        )}
      </div>
      {!atEnd && messages.length > 0 && (
        <Button className={styles.end} icon="chevronDown" onClick={toEnd}>
          Jump to the latest
        </Button>
      )}
    </div>
  );
}

function Empty() {
  return (
    <Notice icon="chat" title="No messages yet">
      <p>Everyone who works on this file can read this chat; models can’t. Use @ to mention people.</p>
    </Notice>
  );
}

/** Follows the end as messages come; keeps the place when older ones come above. */
function useEnd(scroller: React.RefObject<HTMLDivElement | null>, last: string | undefined, first: string | undefined) {
  const [atEnd, setAtEnd] = useState(true);
  const height = useRef(0);
  const end = useRef(true);
  const toEnd = () => scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  // biome-ignore lint/correctness/useExhaustiveDependencies: an older first message moves the rest down.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    if (!end.current) element.scrollTop += element.scrollHeight - height.current;
    height.current = element.scrollHeight;
  }, [first]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last message is followed.
  useLayoutEffect(() => {
    if (end.current) toEnd();
    if (scroller.current) height.current = scroller.current.scrollHeight;
  }, [last]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      end.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      height.current = element.scrollHeight;
      setAtEnd(end.current);
    };
    // Markdown comes a moment after its message, and makes it taller.
    const grown = new ResizeObserver(() => end.current && toEnd());
    for (const child of element.children) grown.observe(child);
    const added = new MutationObserver(() => {
      for (const child of element.children) grown.observe(child);
    });
    added.observe(element, { childList: true });
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      grown.disconnect();
      added.disconnect();
      element.removeEventListener('scroll', look);
    };
  });
  return { atEnd, toEnd };
}

function useOlder(path: string, scroller: React.RefObject<HTMLDivElement | null>) {
  const [busy, setBusy] = useState(false);
  const read = async () => {
    // Not on the way in, before the end was gone to.
    if (busy || (scroller.current?.scrollTop ?? 0) > 600) return;
    setBusy(true);
    await readOlder(path);
    setBusy(false);
  };
  return { busy, read: () => void read() };
}

/** The first message that was unread when the chat was opened; it keeps its line while one reads on. */
function useUnreadFrom(path: string, ready: boolean): string | null {
  const standing = useStanding(path);
  const me = useStandings((state) => state.me);
  const read = useRead(path);
  const [from, setFrom] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    if (!ready || from !== undefined || !read) return;
    const others = read.messages.filter(({ author, deleted }) => !deleted && (author.person !== me || author.program));
    const unread = standing?.unread ?? 0;
    setFrom(unread > 0 ? (others.at(-unread)?.id ?? null) : null);
  }, [ready, from, standing, read, me]);
  return from ?? null;
}

/** What is at the end of a chat that the person looks at has been read. */
function useMarkRead(path: string, last: string | undefined, atEnd: boolean): void {
  const unread = useStanding(path)?.unread ?? 0;
  useEffect(() => {
    if (!last || !atEnd || unread === 0) return;
    const mark = () => {
      if (document.visibilityState === 'visible' && document.hasFocus()) void readUpTo(path, last).catch(() => {});
    };
    mark();
    window.addEventListener('focus', mark);
    return () => window.removeEventListener('focus', mark);
  }, [path, last, atEnd, unread]);
}

/** What somebody else says while the chat is open is said aloud once, whole, not letter by letter. */
function useSpoken(last: string | undefined, path: string, me: string | null): void {
  const before = useRef<string | undefined>(undefined);
  const message = useRead(path)?.messages.at(-1);
  useEffect(() => {
    const known = before.current;
    before.current = last;
    if (!known || !last || last === known || !message || message.id !== last) return;
    if (message.author.person !== me || message.author.program) announce(`${message.author.name}: ${message.text}`);
  }, [last, message, me]);
}

/** Brings a message that was found into sight, with the keyboard. */
function useSought(path: string, sought: string | null): void {
  useEffect(() => {
    if (!sought) return;
    let gone = false;
    void readBackTo(path, sought).then(() => {
      requestAnimationFrame(() => {
        if (gone) return;
        const element = document.getElementById(`message-${sought}`);
        element?.scrollIntoView({ block: 'center' });
        element?.focus({ preventScroll: true });
        useSoughtMessage.setState({ sought: null });
      });
    });
    return () => {
      gone = true;
    };
  }, [path, sought]);
}
