/** Asks the assistant about a problem in a thread of its own; what programs said goes along as data. */
import { untilSynced } from '../documents/unsynced';
import { showSide } from '../side/modes';
import { learnThread, showThread } from '../threads/store';
import { announce } from '../ui/Announcer';
import type { Focus, LatexOutput, Models, NewThread, Problem, StartTurn, Thread } from '../wire/gen/types';
import { failureOf, newKey, request } from '../wire/requests';
import { known } from '../wire/resource';
import { showPlainly } from './Plainly';
import { placed } from './places';
import { focusOf, plainText, seedOf, type Trouble, words } from './seed';

let asking = false;

/**
 * Asks about a problem. Without a model, or where it did not go out, the question is shown, to be copied or tried again.
 * While one is on its way, pressing once more asks nothing more.
 */
export function help(trouble: Trouble, hint: boolean): Promise<void> {
  return once(async () => {
    const { problem } = trouble;
    const now = problem ? { ...trouble, problem: placed(problem) } : trouble;
    const [models, whole] = await Promise.all([known<Models>('models'), withOutput(now)]);
    if (models && !models.chosen) showPlainly(plainText(whole, hint));
    else await ask({ trouble: whole, hint, key: newKey(), thread: null });
  });
}

async function once(run: () => Promise<void>): Promise<void> {
  if (asking) return;
  asking = true;
  try {
    await run();
  } finally {
    asking = false;
  }
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

/** One question: tried again, it is asked once, in the thread that was begun for it. */
interface Question {
  readonly trouble: Trouble;
  /** A nudge and nothing else, not a fix. */
  readonly hint: boolean;
  readonly key: string;
  thread: Thread | null;
}

async function ask(question: Question): Promise<void> {
  const { trouble, hint, key } = question;
  const focus = focusOf(trouble);
  try {
    await untilSynced();
    question.thread ??= await begin(hint, focus, key);
    const { id } = question.thread;
    showSide('assistant');
    showThread(id);
    const turn: StartTurn = { text: words(trouble, hint), key, seed: seedOf(trouble), ...(focus && { focus }) };
    await request('POST', `threads/${id}/turns`, turn);
    announce('Assistant is answering');
  } catch (error) {
    const onAgain = () => void once(() => ask(question));
    showPlainly(plainText(trouble, hint), { failure: failureOf(error), onAgain });
  }
}

/** Begins a thread for it. */
async function begin(hint: boolean, focus: Focus | null, key: string): Promise<Thread> {
  const model = (await known<Models>('models'))?.chosen;
  const fresh: NewThread = { hint, key, ...(model && { model }), ...(focus && { document: focus.path }) };
  const thread = await request<Thread>('POST', 'threads', fresh);
  learnThread(thread);
  return thread;
}
