// Commands about many tabs, by the code that actions use.
import { type Command, registerCommands } from '../app/commands';
import { openLauncher, useFrames } from '../frames/store';
import { focusedPane, panesOf } from '../frames/tree';
import { toast } from '../ui/Toast';
import { reopenLast } from './closed';
import { HANDLERS } from './handlers';
import { keepingKeyboard } from './keyboard';

/** Adds the commands; returns what takes them out again. */
export function registerTabCommands(): () => void {
  return registerCommands(COMMANDS);
}

const COMMANDS: Command[] = [
  { id: 'tab.new', title: 'New tab', group: 'Panes', keys: ['Alt-t'], run: () => openLauncher() },
  {
    id: 'tab.reopen',
    title: 'Reopen closed tab',
    group: 'Panes',
    // Browsers keep Ctrl-Shift-T for themselves, but for a window of its own; Alt-W closes a tab.
    keys: ['Alt-Shift-w', 'Mod-Shift-t'],
    run: reopenClosed,
  },
  {
    id: 'tab.close_others',
    title: 'Close other tabs',
    group: 'Panes',
    when: () => others().length > 0,
    run: () => closeAll(others()),
  },
  {
    id: 'tab.close_all',
    title: 'Close all tabs',
    group: 'Panes',
    when: () => all().length > 0,
    run: () => closeAll(all()),
  },
];

function reopenClosed(): void {
  if (keepingKeyboard(reopenLast).length === 0) toast('No tab was closed in this window.');
}

/** Closes tabs but for those with a form that is not sent, and offers to open them again. */
export function closeAll(tabs: string[]): void {
  const { closed } = HANDLERS['ui.tabs.close']({ tabs });
  const words = closed.length === 1 ? 'Closed 1 tab' : `Closed ${closed.length} tabs`;
  const kept = tabs.length - closed.length;
  const rest = kept > 0 ? `; ${kept} with a form that is not sent ${kept === 1 ? 'stays' : 'stay'} open` : '';
  toast(words + rest, closed.length > 0 ? { label: 'Reopen', run: reopenClosed } : undefined);
}

function all(): string[] {
  return panesOf(useFrames.getState().frames.root).flatMap((pane) => pane.tabs.map((tab) => tab.id));
}

function others(): string[] {
  const { active } = focusedPane(useFrames.getState().frames);
  return all().filter((id) => id !== active);
}
