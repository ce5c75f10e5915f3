// Which keys go to the page and not to the program in a terminal. Pure.
import { isMac, type KeyPress, matchesKey } from '../app/keymap';

/** Keys of the page, as in VS Code: the palette, files, the assistant, tabs, panes, regions. All others are the program's. */
const OF_PAGE = [
  'Mod-k',
  'Mod-p',
  'Mod-j',
  'Mod-,',
  'Ctrl-`',
  'Ctrl-Shift-`',
  'Ctrl-Alt-t',
  'Mod-Shift-e',
  'Mod-Shift-f',
  'Mod-Shift-h',
  'Mod-Shift-\\',
  'Mod-Alt-ArrowLeft',
  'Mod-Alt-ArrowRight',
  'Alt-Shift-ArrowLeft',
  'Alt-Shift-ArrowRight',
  'Alt-w',
  'Alt-Shift-w',
  'F6',
  'Shift-F6',
  ...Array.from({ length: 9 }, (_, index) => `Alt-${index + 1}`),
];

/** A thing that the terminal itself does with a key. */
export type TerminalKey = 'copy' | 'paste' | 'find' | 'tab_moves' | 'screen_reader' | 'page' | 'clear';

const OWN: readonly [TerminalKey, string, 'mac' | 'other' | 'both'][] = [
  ['copy', 'Ctrl-Shift-c', 'other'],
  ['copy', 'Mod-c', 'mac'],
  ['paste', 'Ctrl-Shift-v', 'other'],
  ['paste', 'Mod-v', 'mac'],
  ['paste', 'Shift-Insert', 'other'],
  ['find', 'Mod-f', 'both'],
  ['clear', 'Ctrl-Shift-l', 'both'],
  ['tab_moves', 'Ctrl-Shift-m', 'both'],
  ['screen_reader', 'Alt-Shift-F1', 'both'],
];

/** Returns what a key does outside the program; null if it is the program's. */
export function terminalKey(event: KeyPress, mac = isMac): TerminalKey | null {
  const own = OWN.find(([, key, on]) => on !== (mac ? 'other' : 'mac') && matchesKey(key, event, mac));
  if (own) return own[0];
  return OF_PAGE.some((key) => matchesKey(key, event, mac)) ? 'page' : null;
}
