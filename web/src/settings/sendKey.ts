// The key that sends a message. Pure but for the setting.
import { setting } from './values';

/** Tells whether a key press sends the message, rather than beginning a new line. */
export function isSendKey(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.altKey) return false;
  return setting('assistant.send_with') === 'enter' || event.ctrlKey || event.metaKey;
}
