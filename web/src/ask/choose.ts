/** Does what was chosen in the palette. */
import { runCommand } from '../app/commands';
import { openPalette } from '../app/shell';
import { openFile } from '../frames/store';
import { openThread } from '../threads/openThread';
import { toast } from '../ui/Toast';
import type { Descriptor } from '../wire/gen/types';
import { askModel } from './askModel';
import { countSentence } from './countSentence';
import { beginningFor, type PaletteChoice, requiredArguments } from './entries';
import { perform } from './perform';
import { riskOf, stepOf } from './understood';

/** Runs a choice. */
export function choose(choice: PaletteChoice): void {
  switch (choice.kind) {
    case 'understood':
      countSentence({ way: 'rules', actions: choice.understood.actions.map(({ action_type }) => action_type) });
      void perform(choice.text, choice.understood);
      return;
    case 'command':
      if (!runCommand(choice.id)) toast('This command is not available here.');
      return;
    case 'file':
      openFile(choice.path);
      return;
    case 'compare':
      void import('../compare/open').then(({ compareWith }) => compareWith(choice.path));
      return;
    case 'action':
      doAction(choice.descriptor);
      return;
    case 'thread':
      openThread(choice.thread, choice.turn ?? undefined);
      return;
    case 'ask':
      countSentence({ way: 'model' });
      void askModel(choice.text);
  }
}

/** Does an action that needs no arguments; for another one its sentence is begun, to be completed. */
function doAction(descriptor: Descriptor): void {
  if (requiredArguments(descriptor).length > 0) return openPalette('all', beginningFor(descriptor));
  const { summary } = descriptor;
  const step = stepOf(descriptor);
  void perform(summary, { actions: [step], title: summary, detail: '', risk: riskOf(step) });
}
