/** What was written and not sent, thread by thread, and to the AI history; kept on this machine. */
import { create } from 'zustand';
import type { ThreadId } from '../wire/gen/types';

const KEY = 'aside.drafts';
const MOST = 40;

/** The draft of a conversation that has not begun. */
export const NEW = 'new';

/** The draft of a question about the AI history. */
export const HISTORY = 'history';

export const useDrafts = create<{ readonly drafts: Readonly<Record<string, string>> }>(() => ({ drafts: kept() }));

/** Keeps a draft; an empty one is forgotten. */
export function setDraft(thread: ThreadId | typeof NEW | typeof HISTORY, text: string): void {
  const { [thread]: _, ...others } = useDrafts.getState().drafts;
  const drafts = text === '' ? others : { ...others, [thread]: text };
  useDrafts.setState({ drafts });
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(drafts).slice(-MOST))));
}

function kept(): Record<string, string> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string'));
  } catch {
    return {};
  }
}
