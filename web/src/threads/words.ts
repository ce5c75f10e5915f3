/** What is said of modes, models, ends and tokens. Pure. */
import { tokens } from '../models/usage';
import { sentence } from '../ui/sentence';
import type { LeftOut, ModelRef, ReviewMode, RunMode, StepStop, TurnEnd } from '../wire/gen/types';
import type { StepView } from './events';

/** The modes in the order they are offered, with what each means. */
export const MODES: readonly { readonly mode: ReviewMode; readonly label: string; readonly meaning: string }[] = [
  { mode: 'review_each', label: 'Review each', meaning: 'You review each change before it is made.' },
  { mode: 'review_at_end', label: 'Review at end', meaning: 'You review all changes together at the end.' },
  { mode: 'auto_apply', label: 'Auto-apply', meaning: 'Edits apply immediately. You can undo them.' },
];

/** Whether cells are run, and whether also after the thread has read what they put out. */
export type Runs = RunMode | 'after_outputs';

/** Whether cells that a model wants to run are asked about, in the order that is offered, with what each means. */
export const RUNS: readonly { readonly runs: Runs; readonly label: string; readonly meaning: string }[] = [
  { runs: 'ask', label: 'Ask before running', meaning: 'Each cell waits for your approval before it runs.' },
  {
    runs: 'after_review',
    label: 'Run after review',
    meaning: 'Cells run without asking if you reviewed their edits. Cells with auto-applied edits need approval.',
  },
  {
    runs: 'auto',
    label: 'Run automatically',
    meaning: 'Cells run without asking until the assistant reads their output. Permissions still apply.',
  },
  {
    runs: 'after_outputs',
    label: 'Run and continue after output',
    meaning:
      'Cells run without asking, even after the assistant reads their output. ' +
      'Output of one cell can then cause the next run.',
  },
];

/** What a person lets a thread do who lets it run on. */
export function runOnWords(notebook: string): string {
  return (
    `This thread runs cells of ${notebook}, including cells the assistant changed, even after it reads their output ` +
    'here. Output of one cell can then cause the next run; other untrusted content and ' +
    'all other actions still need approval.'
  );
}

/** The model's name without its provider; the rehearsal is called so wherever it appears. */
export function modelName(model: ModelRef): string {
  const [provider, ...name] = model.split('/');
  return provider === 'rehearsal' ? 'rehearsal' : name.join('/') || model;
}

/** Tells whether answers are scripted. */
export function isRehearsal(model: ModelRef | null): boolean {
  return model?.startsWith('rehearsal/') ?? false;
}

/** What the model was not given, and that people still see it; null if it was given everything. */
export function leftOutWords({ messages, shortened, tokens_before, tokens_after, window }: LeftOut): string | null {
  const parts = [
    messages > 0 && `${messages} older ${messages === 1 ? 'message was' : 'messages were'} left out`,
    shortened > 0 && `${shortened} long ${shortened === 1 ? 'result was' : 'results were'} shortened`,
  ].filter(Boolean);
  if (parts.length === 0) return null;
  const sizes = `about ${tokens(tokens_before)} tokens to ${tokens(tokens_after)}`;
  const more = window
    ? ` Its context window is ${tokens(window)} tokens. Set OLLAMA_CONTEXT_LENGTH, or window in services.toml, to change it.`
    : '';
  return `To fit the model’s context window, ${parts.join(', and ')} (${sizes}). You still see everything.${more}`;
}

/** What is going on while there is nothing new to read. */
export function progressWords(steps: number, open: Pick<StepView, 'text' | 'askedAgainIn'> | null): string {
  if (open?.askedAgainIn != null) return `Service busy. Retrying in ${open.askedAgainIn} s…`;
  if (open?.text.text) return 'Writing…';
  return steps > 1 ? `Working, step ${steps}…` : 'Working…';
}

/** How an end is shown: its words, and whether going on makes sense. */
export interface EndWords {
  readonly text: string;
  readonly detail: string | null;
  /** `allow`: a person has to let the message go out; `settings`: a setting or a limit stands in the way; `hand_off`: another agent can do it. */
  readonly offer: 'continue' | 'retry' | 'allow' | 'settings' | 'hand_off' | null;
  readonly tone: 'quiet' | 'warn' | 'err';
}

/** Describes the end of a turn; null for one that simply ended. */
export function endWords(end: TurnEnd): EndWords | null {
  switch (end.kind) {
    case 'done':
      return null;
    case 'stopped':
      return { text: 'Stopped.', detail: null, offer: 'continue', tone: 'quiet' };
    case 'step_limit':
      return { text: `Stopped at the limit of ${end.steps} steps.`, detail: null, offer: 'continue', tone: 'warn' };
    case 'out_of_budget':
      return { text: budgetWords(end), detail: null, offer: 'continue', tone: 'warn' };
    case 'hand_off': {
      const { reason, summary } = end.offer;
      return { text: `Needs the coding agent: ${reason}`, detail: summary, offer: 'hand_off', tone: 'warn' };
    }
    case 'interrupted':
      return { text: 'Interrupted because Aside was closed.', detail: null, offer: 'continue', tone: 'warn' };
    case 'failed':
      return {
        text: sentence(end.failure.message),
        detail: end.failure.hint ? sentence(end.failure.hint) : null,
        offer: offerAfter(end.failure.code),
        tone: 'err',
      };
  }
}

/** "Stopped at the limit of 12 steps: 3 done, left: open the report." */
function budgetWords({ limit, steps, done, left }: Extract<TurnEnd, { kind: 'out_of_budget' }>): string {
  const what = limit === 'time' ? 'the time limit' : `the limit of ${steps} steps`;
  return `Stopped at ${what}: ${done} done, left: ${sentence(left ?? 'unknown')}`;
}

function offerAfter(code: string): EndWords['offer'] {
  switch (code) {
    case 'needs_consent':
      return 'allow';
    case 'local_only':
    case 'spending_limit':
    case 'price_unknown':
      return 'settings';
    default:
      return 'retry';
  }
}

/** Why a model call was cut short; null if it was not. */
export function stopWords(stop: StepStop): string | null {
  switch (stop.kind) {
    case 'length':
      return 'The answer reached its length limit.';
    case 'refusal':
      return 'The model refused to answer.';
    default:
      return null;
  }
}

/** What a person who listens is told at the end of a turn. */
export function readyWords(text: string): string {
  const words = text.trim() === '' ? 0 : text.trim().split(/\s+/).length;
  return words === 0 ? 'Answer ready' : `Answer ready, ${words} ${words === 1 ? 'word' : 'words'}`;
}
