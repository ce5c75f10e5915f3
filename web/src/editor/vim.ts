// The keys of Vim, with its commands for files and tabs.
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { getCM, Vim, vim } from '@replit/codemirror-vim';
import { runCommand } from '../app/commands';

Vim.defineEx('write', 'w', () => void runCommand('file.save'));
Vim.defineEx('quit', 'q', () => void runCommand('tab.close'));
Vim.defineEx('wq', 'wq', () => {
  runCommand('file.save');
  runCommand('tab.close');
});

/** Vim, with a line that says its mode if `status` is set. */
export function vimKeys(status: boolean): Extension {
  return vim({ status });
}

/** Tells whether Vim is in its normal mode. */
export function isIdle(view: EditorView): boolean {
  const state = getCM(view)?.state.vim;
  return state !== undefined && state !== null && !state.insertMode && !state.visualMode;
}
