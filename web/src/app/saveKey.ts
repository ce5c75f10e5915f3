// Ctrl-S or Cmd-S saves the focused file wherever the keyboard is, and never opens the browser's dialog.
import { runCommand } from './commands';
import { matchesKey } from './keymap';

export const SAVE_KEY = 'Mod-s';

/** Takes the key before anything in the page can. */
export function takeSaveKey(): void {
  window.addEventListener('keydown', onKey, true);
}

function onKey(event: KeyboardEvent): void {
  if (!matchesKey(SAVE_KEY, event)) return;
  event.preventDefault();
  event.stopPropagation();
  if (!event.repeat) runCommand('file.save');
}
