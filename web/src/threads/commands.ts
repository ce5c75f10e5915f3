/** What can be done with threads by key or from the palette. */
import { type Command, registerCommands } from '../app/commands';
import { toggleRegion, useShell } from '../app/shell';
import { helpLevel } from '../assistant/level';
import { useFocus } from '../editor/focus';
import { help } from '../problems/help';
import { meant } from '../problems/order';
import { problemsOf } from '../problems/store';
import { showSide } from '../side/modes';
import { toast } from '../ui/Toast';
import type { Problem, Thread } from '../wire/gen/types';
import { openTurn } from './events';
import { fullPage } from './openThread';
import { chooseMode, finishThread, stop } from './send';
import { useThreads } from './state';
import { showThread } from './store';
import { MODES } from './words';

const GROUP = 'Assistant';

/** The problem of the file that is looked at: that of the cursor's line, else the gravest. */
async function problemHere(): Promise<Problem | undefined> {
  const { focus } = useFocus.getState();
  return focus ? meant(await problemsOf(focus.path), focus.cursor) : undefined;
}

async function helpHere(hint: boolean): Promise<void> {
  const problem = await problemHere();
  if (problem) await help({ problem }, hint);
  else toast('This file has no known problems');
}

function runningThread(): string | null {
  const { current, views } = useThreads.getState();
  const view = current ? views.get(current) : undefined;
  return current && view && openTurn(view) ? current : null;
}

/** The thread that is shown, if nothing goes on in it. */
function finishable(): Thread | null {
  const { current, threads } = useThreads.getState();
  const thread = current ? threads.get(current) : undefined;
  return thread && !thread.archived && runningThread() === null ? thread : null;
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
    id: 'thread.done',
    title: 'Archive this thread and start a new one',
    group: GROUP,
    when: () => finishable() !== null,
    run: () => {
      const thread = finishable();
      if (thread) void finishThread(thread);
    },
  },
  {
    id: 'problem.fix',
    title: 'Help me fix the problem in this file',
    group: GROUP,
    when: () => helpLevel() === 'full',
    run: () => void helpHere(false),
  },
  {
    id: 'problem.hint',
    title: 'Get a hint about the problem in this file',
    group: GROUP,
    when: () => helpLevel() !== 'off',
    run: () => void helpHere(true),
  },
  {
    id: 'thread.full',
    title: 'Show the thread on the full page or in the side panel',
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

/** Adds them; returns what takes them out again. A guest has no assistant. */
export function registerThreadCommands(): () => void {
  return registerCommands(commands.map((command) => ({ ...command, owners: true })));
}
