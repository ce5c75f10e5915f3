// What was begun and not sent, by document; it outlives a reload of the window.
const PREFIX = 'aside.chat.draft:';

/** What was begun beside a document. */
export function draftOf(path: string): string {
  return sessionStorage.getItem(PREFIX + path) ?? '';
}

/** Keeps it. */
export function keepDraft(path: string, text: string): void {
  if (text === '') sessionStorage.removeItem(PREFIX + path);
  else sessionStorage.setItem(PREFIX + path, text);
}
