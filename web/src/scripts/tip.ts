import { keyLabel } from '../app/keymap';

/** What a button does, with its key. */
export function tip(words: string, key: string): string {
  return `${words} (${keyLabel(key)})`;
}
