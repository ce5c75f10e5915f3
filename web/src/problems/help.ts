/** Asks the assistant about a problem in a thread of its own; what programs said goes along as data. */
import { showSide } from '../side/modes';
import { useSending } from '../threads/sending';
import { learnThread, showThread } from '../threads/store';
import { announce } from '../ui/Announcer';
import type { Models, NewThread, StartTurn, Thread } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { known } from '../wire/resource';
import { focusOf, plainText, seedOf, type Trouble, words } from './seed';

/** Asks about a problem; without a model the question is shown, to be copied. */
export async function help(trouble: Trouble, hint: boolean): Promise<void> {
  const models = await known<Models>('models');
  if (models && !models.chosen) (await import('./Plainly')).showPlainly(plainText(trouble, hint));
  else await askAbout(trouble, hint);
}

/** Begins a thread about a problem: a fix, or with `hint` a nudge and nothing else. */
async function askAbout(trouble: Trouble, hint: boolean): Promise<void> {
  try {
    const focus = focusOf(trouble);
    const model = (await known<Models>('models'))?.chosen;
    const fresh: NewThread = { hint, ...(model && { model }), ...(focus && { document: focus.path }) };
    const thread = await request<Thread>('POST', 'threads', fresh);
    learnThread(thread);
    showSide('assistant');
    showThread(thread.id);
    const turn: StartTurn = { text: words(trouble, hint), seed: seedOf(trouble), ...(focus && { focus }) };
    await request('POST', `threads/${thread.id}/turns`, turn);
    announce('Assistant is answering');
  } catch (error) {
    const problem = failureOf(error);
    useSending.setState({ problem });
    announce(problem.message, 'assertive');
  }
}
