/** What can be done with threads by key or from the palette. */
import { useActions, waitingRecords } from '../actions/store';
import { type Command, registerCommands } from '../app/commands';
import { toggleRegion } from '../app/shell';
import { openTurn } from './events';
import { chooseMode, stop } from './send';
import { showThread, useThreads } from './store';
import { MODES } from './words';

const GROUP = 'Assistant';

function runningThread(): string | null {
  const { current, views } = useThreads.getState();
  const view = current ? views.get(current) : undefined;
  return current && view && openTurn(view) ? current : null;
}

/** Goes to the oldest action that waits, in its thread. */
function showWaiting(): void {
  const next = waitingRecords(useActions.getState().records)[0];
  if (!next) return;
  toggleRegion('side', true);
  if (next.origin.kind === 'turn') showThread(next.origin.thread);
  window.dispatchEvent(new Event('aside:compose'));
}

const commands: Command[] = [
  {
    id: 'thread.new',
    title: 'New thread',
    group: GROUP,
    run: () => {
      toggleRegion('side', true);
      showThread(null);
      requestAnimationFrame(() => window.dispatchEvent(new Event('aside:compose')));
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
  {
    id: 'assistant.needs_you',
    title: 'Go to what needs you',
    group: GROUP,
    when: () => waitingRecords(useActions.getState().records).length > 0,
    run: showWaiting,
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
