/** Does what was chosen in the palette. */

import { learn } from '../actions/store';
import { runCommand } from '../app/commands';
import { toggleRegion } from '../app/shell';
import { openFile } from '../frames/store';
import { NEW, setDraft } from '../threads/drafts';
import { openTurn } from '../threads/events';
import { openThread } from '../threads/openThread';
import { send } from '../threads/send';
import { useThreads } from '../threads/state';
import { toast, toastFailure } from '../ui/Toast';
import { submitAction } from '../wire/actions';
import type { Descriptor } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { askFor, type PaletteChoice, requiredArguments } from './entries';

/** Runs a choice. */
export function choose(choice: PaletteChoice): void {
  switch (choice.kind) {
    case 'command':
      if (!runCommand(choice.id)) toast('This command is not available here.');
      return;
    case 'file':
      openFile(choice.path);
      return;
    case 'action':
      void doAction(choice.descriptor);
      return;
    case 'thread':
      openThread(choice.thread, choice.turn ?? undefined);
      return;
    case 'ask':
      ask(choice.text);
  }
}

/** Sends it in the thread that is shown; while that answers, it becomes the draft. */
function ask(text: string): void {
  toggleRegion('side', true);
  const { current, views } = useThreads.getState();
  const view = current ? views.get(current) : undefined;
  if (view && openTurn(view)) compose(text);
  else void send(text);
}

/** Asks for an action that needs nothing more to be said; else the assistant is asked, once it is completed. */
async function doAction(descriptor: Descriptor): Promise<void> {
  if (requiredArguments(descriptor).length > 0) {
    toggleRegion('side', true);
    compose(askFor(descriptor));
    return;
  }
  try {
    const { record, outcome } = await submitAction({ action_type: descriptor.name, args: {} });
    learn(record);
    if (outcome?.kind === 'done') toast(outcome.observation.text.split('\n')[0] ?? descriptor.summary);
    else if (outcome && outcome.kind !== 'interrupted') toastFailure(outcome.failure);
    else toggleRegion('side', true);
  } catch (error) {
    toastFailure(failureOf(error));
  }
}

function compose(text: string): void {
  setDraft(useThreads.getState().current ?? NEW, text);
  requestAnimationFrame(() => window.dispatchEvent(new Event('aside:compose')));
}
