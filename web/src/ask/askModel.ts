/** Asks the assistant from the palette: in a thread of its own, shown in the quick task panel. */
import { showSide } from '../side/modes';
import { send } from '../threads/send';
import { useSending } from '../threads/sending';
import { showThread } from '../threads/store';
import type { Models } from '../wire/gen/types';
import { known } from '../wire/resource';
import { showQuick } from './quick';

/** Starts a thread with the sentence, unless there is no model or a person has to let it go out first. */
export async function askModel(text: string): Promise<void> {
  const models = await known<Models>('models');
  if (models && models.chosen === null) return showQuick({ kind: 'no_model', text });
  showQuick({ kind: 'starting', text });
  const thread = await send(text, { fresh: true });
  if (thread !== null) return showQuick({ kind: 'turn', text, thread });
  const { held, problem } = useSending.getState();
  if (held) {
    // The composer asks whether the words may leave this computer.
    showQuick(null);
    showSide('assistant');
    showThread(null);
    return;
  }
  useSending.setState({ problem: null });
  const failure = problem?.failure ?? {
    code: 'busy',
    message: 'Another message is being sent.',
    hint: 'Try again in a moment.',
    data: null,
  };
  showQuick({ kind: 'failed', text, failure });
}
