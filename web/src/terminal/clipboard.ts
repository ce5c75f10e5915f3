// Copying from a terminal and pasting into it.
import { keyLabel } from '../app/keymap';
import { announce } from '../ui/Announcer';
import { useAskedPaste } from './AskPaste';
import { linesPasted, pasted } from './paste';
import { useTerminalPreferences } from './preferences';
import type { Screen } from './screen';

/** Copies what is selected. */
export async function copySelection(screen: Screen): Promise<void> {
  const text = screen.terminal.getSelection();
  if (text === '') return announce('Nothing is selected');
  await navigator.clipboard.writeText(text);
  announce('Copied');
}

/** Pastes a text; several lines are asked about. */
export function pasteInto(screen: Screen, text: string): void {
  const lines = linesPasted(text);
  const type = () => screen.paste(pasted(text));
  if (lines === null || !useTerminalPreferences.getState().askPaste) type();
  else useAskedPaste.setState({ asked: { screen, text: pasted(text), lines, type } });
}

/** Pastes what was copied. Not every browser lets a page read that. */
export async function pasteFromClipboard(screen: Screen): Promise<void> {
  screen.terminal.focus();
  try {
    pasteInto(screen, await navigator.clipboard.readText());
  } catch {
    announce(`The browser blocked pasting from the menu. Press ${keyLabel('Ctrl-Shift-v')} instead.`, 'assertive');
  }
}
