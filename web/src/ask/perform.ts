/** Does what the fast path understood: at once if it only reads or changes the window, else as a plan that asks first. */
import { learn } from '../actions/store';
import { learnTasks } from '../tasks/known';
import { toast, toastFailure } from '../ui/Toast';
import { submitAction, undoAction, untilAnswered } from '../wire/actions';
import type { ActionRecord, NewTask, RoutedStep, Submitted, TaskDetail } from '../wire/gen/types';
import { failureOf, newKey, request } from '../wire/requests';
import { showQuick } from './quick';
import { isHarmless, type Understood } from './understood';

/** Does it. The sentence goes along for the activity log. */
export async function perform(text: string, { actions, risk }: Understood): Promise<void> {
  if (isHarmless(risk)) await doAtOnce(text, actions);
  else await propose(text, actions);
}

/** Runs actions in order; the first that does not end well stops the rest. */
async function doAtOnce(text: string, actions: readonly RoutedStep[]): Promise<void> {
  try {
    for (const action of actions) if (!shown(text, action, await submit(text, action))) return;
  } catch (error) {
    toastFailure(failureOf(error));
  }
}

function submit(text: string, { action_type, args }: RoutedStep): Promise<Submitted> {
  return submitAction({ action_type, args, audit_context: { said: text } });
}

/** Shows what came of an action; tells whether the next one may run. */
function shown(text: string, { action_type, title }: RoutedStep, { state, record, outcome, id }: Submitted): boolean {
  learn(record);
  if (outcome?.kind === 'done') {
    const words = outcome.observation.text;
    // A change of the window is seen there; an answer has to be read.
    if (!action_type.startsWith('ui.') || action_type === 'ui.tabs.list')
      showQuick({ kind: 'action', text, action: id });
    else if (record.can_undo) toast(words.split('\n')[0] || title, undoOf(record));
    return true;
  }
  if (state === 'awaiting_confirmation') showQuick({ kind: 'action', text, action: id });
  else if (outcome && 'failure' in outcome) toastFailure(outcome.failure);
  else showQuick({ kind: 'action', text, action: id });
  return false;
}

function undoOf({ envelope }: ActionRecord) {
  const run = () =>
    void undoAction(envelope.id).then(
      ({ record }) => learn(record),
      (error) => toastFailure(failureOf(error)),
    );
  return { label: 'Undo', run };
}

/** Makes a plan of actions, which shows all effects and waits for a person. */
export async function propose(
  text: string,
  actions: readonly Pick<RoutedStep, 'action_type' | 'args'>[],
): Promise<void> {
  showQuick({ kind: 'starting', text });
  const steps = actions.map(({ action_type, args }) => ({ action_type, args }));
  const body: NewTask = { goal: text, steps, idempotency_key: newKey() };
  try {
    const { task } = await untilAnswered(() => request<TaskDetail>('POST', 'tasks', body));
    learnTasks(task);
    showQuick({ kind: 'task', text, task: task.id });
  } catch (error) {
    showQuick({ kind: 'failed', text, failure: failureOf(error) });
  }
}
