/** What was written and not sent, thread by thread, and to the AI history; kept on this machine. */
import { create } from 'zustand';
import type { ThreadId } from '../wire/gen/types';
import { keptMap } from './keptMap';

const kept = keptMap('aside.drafts', (value) => typeof value === 'string', 40);

/** The draft of a conversation that has not begun. */
export const NEW = 'new';

/** The draft of a question about the AI history. */
export const HISTORY = 'history';

export const useDrafts = create<{ readonly drafts: Readonly<Record<string, string>> }>(() => ({ drafts: kept.read() }));

/** Keeps a draft; an empty one is forgotten. */
export function setDraft(thread: ThreadId | typeof NEW | typeof HISTORY, text: string): void {
  const { [thread]: _, ...others } = useDrafts.getState().drafts;
  useDrafts.setState({ drafts: text === '' ? others : { ...others, [thread]: text } });
  kept.change(thread, text === '' ? undefined : text);
}
