import { lazy, memo, Suspense, useCallback, useRef, useState } from 'react';
import { MarkWords } from '../markdown/nodes';
import { IconButton } from '../ui/Button';
import { SureButton } from '../ui/SureButton';
import { toastFailure } from '../ui/Toast';
import { useKeepFocus } from '../ui/useKeepFocus';
import type { ChatMessage } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import styles from './Chat.module.css';
import { EditMessage } from './EditMessage';
import { piecesOf } from './mentions';
import { deleteMessage } from './messages';
import { usePeople, useStandings } from './standings';

const Markdown = lazy(() => import('../markdown/Markdown'));

interface MessageProps {
  path: string;
  message: ChatMessage;
  /** It begins a group: who says it, and when, stands above it. */
  first: boolean;
}

/** One thing that somebody said. */
export const Message = memo(function Message({ path, message, first }: MessageProps) {
  const me = useStandings((state) => state.me);
  const [editing, setEditing] = useState(false);
  const whole = useRef<HTMLElement>(null);
  useKeepFocus(whole);
  const mine = message.author.person === me && !message.author.program;
  const named = me !== null && message.mentions.includes(me);
  return (
    <article
      ref={whole}
      className={styles.message}
      id={`message-${message.id}`}
      data-first={first}
      data-named={named}
      tabIndex={-1}
      aria-label={`${message.author.name}, ${timeOf(message.at)}`}
    >
      {first && <Who message={message} mine={mine} />}
      {message.deleted ? (
        <p className={styles.deleted}>This message was deleted.</p>
      ) : editing ? (
        <EditMessage path={path} message={message} onDone={() => setEditing(false)} />
      ) : (
        <>
          <Text message={message} />
          {mine && <Tools path={path} message={message} onEdit={() => setEditing(true)} />}
        </>
      )}
    </article>
  );
});

function Who({ message, mine }: { message: ChatMessage; mine: boolean }) {
  const { author, at } = message;
  return (
    <p className={styles.who}>
      <strong>{author.name}</strong>
      {mine && author.name !== 'you' && <span className={styles.mine}>you</span>}
      {author.program && <span className={styles.program}>from a program</span>}
      <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
        {timeOf(at)}
      </time>
    </p>
  );
}

function Text({ message }: { message: ChatMessage }) {
  const people = usePeople();
  const me = useStandings((state) => state.me);
  const mark = useCallback(
    (text: string) => {
      const names = people.map(({ person }) => person.name);
      const mine = people.find(({ person }) => person.id === me)?.person.name.toLowerCase();
      return piecesOf(text, names).map(({ text, name }, index) =>
        name === null ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and their order is their place.
          <span key={index} className={styles.mention} data-me={name.toLowerCase() === mine}>
            {text}
          </span>
        ),
      );
    },
    [people, me],
  );
  return (
    <div className={styles.text}>
      <Suspense fallback={<p className={styles.plain}>{message.text}</p>}>
        <MarkWords value={mark}>
          <Markdown text={message.text} />
        </MarkWords>
      </Suspense>
      {message.edited && (
        <span className={styles.edited} title={new Date(message.edited).toLocaleString()}>
          edited
        </span>
      )}
    </div>
  );
}

function Tools({ path, message, onEdit }: { path: string; message: ChatMessage; onEdit(): void }) {
  const [deleting, setDeleting] = useState(false);
  const remove = () => void deleteMessage(path, message.id).catch((error) => toastFailure(failureOf(error)));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is asked twice is not asked any more when the focus is elsewhere.
    <span
      className={styles.tools}
      data-open={deleting}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setDeleting(false)}
    >
      <IconButton icon="pencil" label="Edit this message" onClick={onEdit} />
      {deleting ? (
        <SureButton verb="Delete" what="this message" onSure={remove} />
      ) : (
        <IconButton icon="trash" label="Delete this message…" onClick={() => setDeleting(true)} />
      )}
    </span>
  );
}

function timeOf(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}
