// Short messages at the bottom. They are announced; failures stay until closed.
//
//   toast('Moved to lib/a.py', { label: 'Undo', run: () => … });   toastFailure(failure)
import { useEffect } from 'react';
import { create } from 'zustand';
import { Words } from '../actions/Words';
import type { Failure } from '../wire/gen/types';
import { announce } from './Announcer';
import { Button, IconButton } from './Button';
import { Icon } from './Icon';
import { sentence } from './sentence';
import styles from './Toast.module.css';

interface Offer {
  label: string;
  run(): void;
}
interface Message {
  id: number;
  text: string;
  hint?: string;
  failed: boolean;
  offer?: Offer;
}

const useMessages = create<{ messages: Message[] }>(() => ({ messages: [] }));
const SHOWN_FOR = 8000;
let nextId = 1;

/** Says that something was done, with an offer such as Undo. */
export function toast(text: string, offer?: Offer): void {
  add({ text, offer, failed: false });
  announce(offer ? `${text}. ${offer.label} available` : text);
}

/** Says that something could not be done, and what to try. */
export function toastFailure(failure: Failure): void {
  const text = sentence(failure.message);
  add({ text, hint: failure.hint, failed: true });
  announce(text, 'assertive');
}

function add(message: Omit<Message, 'id'>): void {
  const id = nextId++;
  useMessages.setState(({ messages }) => ({ messages: [...messages.slice(-2), { ...message, id }] }));
}

function dismiss(id: number): void {
  useMessages.setState(({ messages }) => ({ messages: messages.filter((message) => message.id !== id) }));
}

/** The messages; mounted once, by the shell. */
export function Toasts() {
  const messages = useMessages((state) => state.messages);
  return (
    <section className={styles.toasts} aria-label="Messages">
      {messages.map((message) => (
        <Toast key={message.id} message={message} />
      ))}
    </section>
  );
}

function Toast({ message }: { message: Message }) {
  const { id, text, hint, failed, offer } = message;
  useEffect(() => {
    if (failed) return;
    const timer = setTimeout(() => dismiss(id), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [id, failed]);
  return (
    <div className={failed ? `${styles.toast} ${styles.failed}` : styles.toast}>
      <Icon name={failed ? 'error' : 'check'} />
      <div className={styles.text}>
        <Words text={text} />
        {hint && (
          <div className={styles.hint}>
            <Words text={hint} />
          </div>
        )}
      </div>
      {offer && (
        <Button
          look="quiet"
          aria-label={`${offer.label}: ${text}`}
          onClick={() => {
            dismiss(id);
            offer.run();
          }}
        >
          {offer.label}
        </Button>
      )}
      <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  );
}
