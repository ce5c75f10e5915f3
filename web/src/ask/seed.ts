/** A quick task in words, as the first message of a thread. Pure. */
import { failureOf } from '../actions/card';
import { titleOf } from '../actions/title';
import { stateOf, stepState, stepTitle } from '../tasks/words';
import type { ActionRecord, HandOff, NewThread, TaskDetail } from '../wire/gen/types';

/** The title and the first message of a thread. */
export interface ThreadSeed {
  readonly title: string;
  /** Ends where the person goes on writing. */
  readonly text: string;
  /** More that the thread begins with. */
  readonly begun?: Pick<NewThread, 'document' | 'grant'>;
}

/** Letters of a result that go along. */
const MOST_LETTERS = 2_000;

/** A task with its steps, their states and results. */
export function seedOfTask({ task, plan, actions }: TaskDetail): ThreadSeed {
  const steps = plan?.steps.map((step) => {
    const record = actions.find(({ envelope }) => envelope.id === step.action);
    const result = record ? resultOf(record) : '';
    return `${step.number}. ${stepTitle(step)}: ${stepState(step).word}${result && `\n${quoted(result)}`}`;
  });
  return seed(task.goal, stateOf(task).word, steps ?? [], task.summary);
}

/** An action that ran at once, with its result. */
export function seedOfAction(record: ActionRecord): ThreadSeed {
  const said = (record.envelope.audit_context as { said?: unknown } | null)?.said;
  const title = titleOf(record);
  const goal = typeof said === 'string' ? said : title;
  return seed(goal, record.state.replaceAll('_', ' '), [`1. ${title}`, quoted(resultOf(record))], null);
}

/** Work that the Navigator hands over: the goal, what is left, the objects, and no more rights than it had. */
export function seedOfHandOff(goal: string, { reason, summary, objects, grant }: HandOff): ThreadSeed {
  const files = objects.filter(({ kind }) => kind === 'file').map(({ id }) => id);
  const about = files.length > 0 ? `Files: ${files.map((path) => `@${path}`).join(', ')}` : '';
  const parts = [goal, `Handed over because ${reason}.`, summary, about];
  const { actions, risks, paths } = grant;
  const isLimited = paths.length > 0 || risks.length < ALL_RISKS;
  // Several lists of paths mean their intersection, which limits can't say: then nothing is covered.
  const within = paths.length > 0 && { paths: paths.length === 1 ? paths[0] : [] };
  return {
    title: goal,
    text: `${parts.filter((part) => part !== '').join('\n\n')}\n\n`,
    begun: {
      ...(files[0] !== undefined && { document: files[0] }),
      ...(isLimited && { grant: { ...(actions && { actions }), risks, ...within } }),
    },
  };
}

/** How many classes of risk there are: a grant of all of them is not limited. */
const ALL_RISKS = 7;

function seed(goal: string, state: string, steps: readonly string[], summary: string | null): ThreadSeed {
  const parts = [`I asked Aside: ${goal}`, `It was done as a quick task (${state}):`, ...steps, summary ?? ''];
  return { title: goal, text: `${parts.filter((part) => part !== '').join('\n')}\n\n` };
}

function resultOf(record: ActionRecord): string {
  const failure = failureOf(record);
  if (failure) return failure.message;
  return record.outcome?.kind === 'done' ? record.outcome.observation.text.trim() : '';
}

function quoted(text: string): string {
  if (text === '') return '';
  const short = text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;
  return short
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
