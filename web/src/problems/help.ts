/** Asks the assistant about a problem in a thread of its own; what programs said goes along as data. */
import { showSide } from '../side/modes';
import { useSending } from '../threads/sending';
import { learnThread, showThread } from '../threads/store';
import { announce } from '../ui/Announcer';
import type { LatexOutput, Models, NewThread, Problem, StartTurn, Thread } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { known } from '../wire/resource';
import { placed } from './places';
import { focusOf, plainText, seedOf, type Trouble, words } from './seed';

/** Asks about a problem; without a model the question is shown, to be copied. */
export async function help(trouble: Trouble, hint: boolean): Promise<void> {
  const { problem } = trouble;
  const now = problem ? { ...trouble, problem: placed(problem) } : trouble;
  const [models, whole] = await Promise.all([known<Models>('models'), withOutput(now)]);
  if (models && !models.chosen) (await import('./Plainly')).showPlainly(plainText(whole, hint));
  else await askAbout(whole, hint);
}

/** A problem of a build goes with the error that its log tells first, and with the end of what its stages put out. */
async function withOutput(trouble: Trouble): Promise<Trouble> {
  const { problem, logs = [] } = trouble;
  if (problem?.source !== 'latex' || !problem.path) return trouble;
  const query = new URLSearchParams({ path: problem.path });
  // The problem itself is asked about also when that can't be read.
  const output = await request<LatexOutput>('GET', `latex/output?${query}`).catch(() => null);
  const first = output?.first && placed(output.first);
  const isOther = first && !isSame(first, problem);
  return { ...trouble, ...(isOther && { first }), logs: [...logs, ...(output?.stages ?? [])] };
}

function isSame(one: Problem, other: Problem): boolean {
  return one.path === other.path && one.line === other.line && one.message === other.message;
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
