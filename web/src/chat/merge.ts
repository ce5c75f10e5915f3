/** Messages in order, and how they stand below each other. Pure. */
import type { ChatMessage } from '../wire/gen/types';

/** Both lists as one, by id; of two accounts of a message the one of `news` stands, unless the other is later. */
export function merged(known: readonly ChatMessage[], news: readonly ChatMessage[]): ChatMessage[] {
  const all = new Map(known.map((message) => [message.id, message]));
  for (const message of news) {
    const before = all.get(message.id);
    if (!before || changed(before) <= changed(message)) all.set(message.id, message);
  }
  return [...all.values()].sort((one, two) => (one.id < two.id ? -1 : 1));
}

function changed(message: ChatMessage): number {
  return message.deleted ?? message.edited ?? message.at;
}

/** Messages that belong together: of one person, on one day, shortly after each other. */
export interface Group {
  readonly first: ChatMessage;
  readonly messages: readonly ChatMessage[];
  /** The day begins with it. */
  readonly newDay: boolean;
}

/** Milliseconds between two messages of a group. */
const TOGETHER = 5 * 60_000;

/** Groups messages; one that is unread begins a group, so that a line can stand above it. */
export function groupsOf(messages: readonly ChatMessage[], unreadFrom: string | null): Group[] {
  const groups: { first: ChatMessage; messages: ChatMessage[]; newDay: boolean }[] = [];
  let last: ChatMessage | undefined;
  for (const message of messages) {
    const newDay = !last || !sameDay(last.at, message.at);
    const group = groups.at(-1);
    if (group && last && !newDay && message.id !== unreadFrom && belongs(last, message)) group.messages.push(message);
    else groups.push({ first: message, messages: [message], newDay });
    last = message;
  }
  return groups;
}

function belongs(one: ChatMessage, two: ChatMessage): boolean {
  const sameAuthor = one.author.person === two.author.person && one.author.program === two.author.program;
  return sameAuthor && two.at - one.at < TOGETHER;
}

function sameDay(one: number, two: number): boolean {
  return new Date(one).toDateString() === new Date(two).toDateString();
}

/** "Today", "Yesterday", else the day. */
export function dayWords(at: number, now: number): string {
  if (sameDay(at, now)) return 'Today';
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (sameDay(at, yesterday.getTime())) return 'Yesterday';
  const year = new Date(at).getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric';
  return new Date(at).toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', year });
}
