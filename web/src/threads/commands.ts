/** What can be done with threads by key or from the palette. */
import { type Command, registerCommands } from '../app/commands';
import { toggleRegion, useShell } from '../app/shell';
import { showSide } from '../side/modes';
import { openTurn } from './events';
import { fullPage } from './openThread';
import { chooseMode, stop } from './send';
import { showThread, useThreads } from './store';
import { MODES } from './words';

const GROUP = 'Assistant';

function runningThread(): string | null {
  const { current, views } = useThreads.getState();
  const view = current ? views.get(current) : undefined;
  return current && view && openTurn(view) ? current : null;
}

const commands: Command[] = [
  {
    id: 'thread.new',
    title: 'New thread',
    group: GROUP,
    run: () => {
      showSide('assistant');
      showThread(null);
      requestAnimationFrame(() => window.dispatchEvent(new Event('aside:compose')));
    },
  },
  {
    id: 'thread.full',
    title: 'Thread on the full page, or beside the documents',
    group: GROUP,
    run: () => {
      toggleRegion('side', true);
      fullPage(!useShell.getState().full);
    },
  },
  {
    id: 'assistant.stop',
    title: 'Stop the assistant',
    group: GROUP,
    keys: ['Mod-Shift-.'],
    when: () => runningThread() !== null,
    run: () => {
      const thread = runningThread();
      if (thread) void stop(thread);
    },
  },
  ...MODES.map(({ mode, label }) => ({
    id: `assistant.${mode}`,
    title: `Mode: ${label}`,
    group: GROUP,
    run: () => chooseMode(mode),
  })),
];

/** Adds them; returns what takes them out again. */
export function registerThreadCommands(): () => void {
  return registerCommands(commands);
}
