import { useEffect, useId, useRef, useState } from 'react';
import { isSendKey } from '../settings/sendKey';
import { takeWish } from '../side/modes';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import composer from '../ui/Composer.module.css';
import { Icon } from '../ui/Icon';
import { sentence } from '../ui/sentence';
import { useConnection } from '../wire/connection';
import type { Failure } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import styles from './Chat.module.css';
import { draftOf, keepDraft } from './drafts';
import { begunAt, completed, fitting } from './mentions';
import { messageKey, say } from './messages';
import { usePeople, useStandings } from './standings';

/** Where something is said. What can't be sent stays here. */
export function ChatComposer({ path }: { path: string }) {
  const [text, setText] = useState(() => draftOf(path));
  const { busy, failure, send } = useSend(path, text, () => write(''));
  const offline = useConnection((state) => state.status === 'offline');
  const field = useRef<HTMLTextAreaElement>(null);
  const names = useNames(field, text);
  const write = (next: string) => {
    setText(next);
    keepDraft(path, next);
  };
  const take = (name: string) => {
    const done = names.take(name);
    if (!done) return;
    write(done.text);
    requestAnimationFrame(() => field.current?.setSelectionRange(done.caret, done.caret));
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (names.onKeyDown(event, take)) return;
    if (isSendKey(event)) {
      event.preventDefault();
      if (!event.repeat) void send();
    }
  };
  useTakeOver(field);
  return (
    <div className={composer.composer}>
      {failure && <NotSent failure={failure} onAgain={() => void send()} />}
      {offline && !failure && (
        <p className={styles.offline}>
          <Icon name="cloudOff" />
          Can’t reach Aside. Your messages stay here until they can be sent.
        </p>
      )}
      <Names names={names} onTake={take} />
      <div className={`${composer.box} ${styles.box}`}>
        <textarea
          ref={field}
          className={`${composer.field} ${styles.field}`}
          aria-label="Message to the people here"
          aria-autocomplete="list"
          aria-controls={names.fitting.length > 0 ? names.id : undefined}
          aria-activedescendant={names.fitting.length > 0 ? `${names.id}-${names.at}` : undefined}
          placeholder="Message the people here"
          rows={1}
          value={text}
          onChange={(event) => {
            write(event.target.value);
            names.look();
          }}
          onSelect={names.look}
          onBlur={names.close}
          onKeyDown={onKeyDown}
          data-first-focus
        />
        <Button look="primary" icon="send" disabled={busy || text.trim() === ''} onClick={() => void send()}>
          Send
        </Button>
      </div>
    </div>
  );
}

function NotSent({ failure, onAgain }: { failure: Failure; onAgain(): void }) {
  return (
    <div className={composer.problem} role="alert">
      <Icon name="error" />
      <span>
        Not sent. {sentence(failure.message)} {failure.hint && sentence(failure.hint)}
      </span>
      <Button look="quiet" onClick={onAgain}>
        Send again
      </Button>
    </div>
  );
}

/** Sends the text; until it is there it stays in its box. The same text is tried under the same key, so it is said once. */
function useSend(path: string, text: string, onSent: () => void) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const tried = useRef({ text: '', key: '' });
  const send = async () => {
    if (busy || text.trim() === '') return;
    if (tried.current.text !== text) tried.current = { text, key: messageKey() };
    setBusy(true);
    try {
      await say(path, text, tried.current.key);
      tried.current = { text: '', key: '' };
      setFailure(null);
      onSent();
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, send };
}

/** The names that fit what is being written. */
function useNames(field: React.RefObject<HTMLTextAreaElement | null>, text: string) {
  const id = useId();
  const people = usePeople();
  const me = useStandings((state) => state.me);
  const [caret, setCaret] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const begun = caret === null ? null : begunAt(text, caret);
  const others = people.filter(({ person }) => person.id !== me).map(({ person, here }) => ({ ...person, here }));
  const found = begun ? fitting(others, begun.query).slice(0, 6) : [];
  const count = found.length;
  useEffect(() => {
    setAt(0);
    if (count > 0) announce(count === 1 ? '1 person matches' : `${count} people match`);
  }, [count]);
  const close = () => setCaret(null);
  const take = (name: string) => {
    close();
    return begun && caret !== null ? completed(text, caret, begun, name) : null;
  };
  const onKeyDown = (event: React.KeyboardEvent, onTake: (name: string) => void): boolean => {
    const chosen = found[at];
    if (!chosen) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((at + step + count) % count);
    else if (event.key === 'Enter' || event.key === 'Tab') onTake(chosen.name);
    else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return {
    id,
    at,
    fitting: found,
    take,
    close,
    look: () => setCaret(field.current?.selectionStart ?? null),
    onKeyDown,
  };
}

function Names({ names, onTake }: { names: ReturnType<typeof useNames>; onTake(name: string): void }) {
  if (names.fitting.length === 0) return null;
  return (
    <div className={styles.names} role="listbox" id={names.id} aria-label="People">
      {names.fitting.map((person, index) => (
        <div
          key={person.id}
          id={`${names.id}-${index}`}
          role="option"
          className={styles.name}
          aria-selected={index === names.at}
          tabIndex={-1}
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(person.name);
          }}
        >
          {person.name}
          {person.here && <span className={styles.here}>here</span>}
        </div>
      ))}
    </div>
  );
}

/** Takes the focus when somebody asks for the chat. */
function useTakeOver(field: React.RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const take = () => {
      if (takeWish()) field.current?.focus();
    };
    take();
    window.addEventListener('aside:say', take);
    return () => window.removeEventListener('aside:say', take);
  }, [field]);
}
