import { keyLabel } from '../app/keymap';

/** The effect of a button, with its key. */
export function tip(words: string, key: string): string {
  return `${words} (${keyLabel(key)})`;
}
