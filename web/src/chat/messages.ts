// The messages of the chats that are open in this window: the latest page, older ones as they are wanted, and what
// changes. A chat that was read before the connection broke asks only for what it missed.
import { create } from 'zustand';
import { connection, useConnection } from '../wire/connection';
import type {
  ChatMessage,
  ChatPage,
  ChatStanding,
  EditMessage,
  Failure,
  MessageId,
  ReadUpTo,
  SendMessage,
} from '../wire/gen/types';
import { failureOf, newKey, request } from '../wire/requests';
import { merged } from './merge';
import { learnStanding, onMessage, useStandings } from './standings';

/** One chat as far as it was read. */
export interface Read {
  readonly messages: readonly ChatMessage[];
  /** There are older ones. */
  readonly more: boolean;
  readonly seq: number;
  readonly loading: boolean;
  readonly failure: Failure | null;
}

const NOTHING: Read = { messages: [], more: false, seq: 0, loading: true, failure: null };

/** By document. */
export const useMessages = create<{ chats: Readonly<Record<string, Read>> }>(() => ({ chats: {} }));

/** The messages beside a document; null until they were asked for. */
export function useRead(path: string): Read | null {
  return useMessages(({ chats }) => chats[path] ?? null);
}

function change(path: string, part: Partial<Read>): void {
  useMessages.setState(({ chats }) => ({ chats: { ...chats, [path]: { ...(chats[path] ?? NOTHING), ...part } } }));
}

/** Reads the latest messages, or what was missed since they were read. */
export async function readLatest(path: string): Promise<void> {
  const before = useMessages.getState().chats[path];
  const since = before && before.seq > 0 ? `&since=${before.seq}` : '';
  change(path, { loading: true, failure: null });
  try {
    const page = await request<ChatPage>('GET', `chats/messages?document=${encodeURIComponent(path)}${since}`);
    // Where too much was missed to be told one by one, the latest page comes instead.
    const missed = since !== '' && !page.more;
    if (page.standing) learnStanding(page.standing);
    // What was heard while the page was on its way may be later than the page.
    const now = useMessages.getState().chats[path] ?? NOTHING;
    const heard = now.messages.filter((message) => !before?.messages.includes(message));
    const wanted = page.messages.filter((message) => known(now, message) || isAfter(now, message));
    const messages = missed ? merged(now.messages, wanted) : merged(page.messages, heard);
    change(path, { messages, more: missed ? now.more : page.more, seq: Math.max(page.seq, now.seq), loading: false });
  } catch (error) {
    change(path, { loading: false, failure: failureOf(error) });
  }
}

/** Reads the messages before the first one; tells whether there were some. */
export async function readOlder(path: string, limit = 50): Promise<boolean> {
  const { messages, more } = useMessages.getState().chats[path] ?? NOTHING;
  const first = messages[0];
  if (!first || !more) return false;
  try {
    const query = `document=${encodeURIComponent(path)}&before=${first.id}&limit=${limit}`;
    const page = await request<ChatPage>('GET', `chats/messages?${query}`);
    const now = useMessages.getState().chats[path]?.messages ?? [];
    change(path, { messages: merged(now, page.messages), more: page.more, failure: null });
    return page.messages.length > 0;
  } catch (error) {
    change(path, { failure: failureOf(error) });
    return false;
  }
}

/** Reads back until a message is there; tells whether it is. */
export async function readBackTo(path: string, id: MessageId): Promise<boolean> {
  const has = () => useMessages.getState().chats[path]?.messages.some((message) => message.id === id) ?? false;
  if (!useMessages.getState().chats[path]) await readLatest(path);
  while (!has()) if (!(await readOlder(path, 200))) return false;
  return true;
}

/** Says something. With the same key it is said once, however often it is tried. */
export async function say(path: string, text: string, key: string): Promise<void> {
  learn(
    await request<ChatMessage>('POST', 'chats/messages', { document: path, text, key } satisfies SendMessage),
    path,
  );
}

/** A key for what is about to be said. */
export const messageKey = newKey;

/** Changes what one has said. */
export async function editMessage(path: string, id: MessageId, text: string): Promise<void> {
  learn(await request<ChatMessage>('PATCH', `chats/messages/${id}`, { text } satisfies EditMessage), path);
}

/** Takes back what one has said. */
export async function deleteMessage(path: string, id: MessageId): Promise<void> {
  learn(await request<ChatMessage>('DELETE', `chats/messages/${id}`), path);
}

/** Remembers that all up to a message was seen. Nothing is lost if that fails: it stays unread. */
export async function readUpTo(path: string, message: MessageId): Promise<void> {
  const standing = await request<ChatStanding>('PUT', 'chats/read', { document: path, message } satisfies ReadUpTo);
  learnStanding(standing);
}

function learn(message: ChatMessage, path: string): void {
  const read = useMessages.getState().chats[path];
  if (read) change(path, { messages: merged(read.messages, [message]), failure: null });
}

function known(read: Read | undefined, message: ChatMessage): boolean {
  return read?.messages.some(({ id }) => id === message.id) ?? false;
}

/** What comes before the first known message can be left to a later page. */
function isAfter(read: Read | undefined, message: ChatMessage): boolean {
  const first = read?.messages[0];
  return first === undefined || message.id > first.id;
}

onMessage((message, seq) => {
  const path = useStandings.getState().standings.find(({ chat }) => chat.id === message.chat)?.chat.document;
  const read = path === undefined ? undefined : useMessages.getState().chats[path];
  if (path === undefined || !read) return;
  const wanted = known(read, message) || isAfter(read, message);
  const messages = wanted ? merged(read.messages, [message]) : read.messages;
  change(path, { messages, seq: Math.max(read.seq, seq) });
});

// What was said while the connection was gone, or faster than it could tell, is asked for.
useConnection.subscribe(({ status }, before) => {
  if (status === 'online' && before.status !== 'online') readWhatIsOpen();
});
connection.on('chats_missed', readWhatIsOpen);

function readWhatIsOpen(): void {
  for (const path of Object.keys(useMessages.getState().chats)) void readLatest(path);
}
