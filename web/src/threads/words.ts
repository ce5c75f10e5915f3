/** What is said of modes, models, ends and tokens. Pure. */
import { tokens } from '../models/usage';
import { sentence } from '../ui/sentence';
import type { LeftOut, ModelRef, ReviewMode, RunMode, StepStop, TurnEnd } from '../wire/gen/types';
import type { StepView } from './events';

/** The modes in the order they are offered, with what each means. */
export const MODES: readonly { readonly mode: ReviewMode; readonly label: string; readonly meaning: string }[] = [
  { mode: 'review_each', label: 'Review each', meaning: 'The assistant waits at each proposed change.' },
  { mode: 'review_at_end', label: 'Review at end', meaning: 'It goes on; you look at the changes together.' },
  { mode: 'auto_apply', label: 'Auto-apply', meaning: 'Edits are made at once, and can be undone.' },
];

/** Whether cells are run, and whether also after the thread has read what they put out. */
export type Runs = RunMode | 'after_outputs';

/** Whether cells that a model wants to run are asked about, in the order that is offered, with what each means. */
export const RUNS: readonly { readonly runs: Runs; readonly label: string; readonly meaning: string }[] = [
  { runs: 'ask', label: 'Ask before runs', meaning: 'Every cell that the assistant wants to run waits for your yes.' },
  {
    runs: 'after_review',
    label: 'Run after review',
    meaning: 'Cells run without asking as long as you review the edits; edits that are made at once are asked about.',
  },
  {
    runs: 'auto',
    label: 'Run at once',
    meaning: 'Cells are run without asking until the assistant has read what they put out. Rules still hold.',
  },
  {
    runs: 'after_outputs',
    label: 'Run on after outputs',
    meaning:
      'Cells are run without asking, also after the assistant has read what they put out: ' +
      'anything a cell prints can then lead to the next one being run.',
  },
];

/** What a person lets a thread do who lets it run on. */
export function runOnWords(notebook: string): string {
  return (
    `This thread runs cells of ${notebook}, also those that the assistant has changed, after it has read what they put out ` +
    'here: anything a cell prints can then lead to the next cell being run. Whatever else comes from outside, and ' +
    'everything else that it does, is asked about as before.'
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
    ? ` It is given ${tokens(window)} to read: OLLAMA_CONTEXT_LENGTH, or window in services.toml, says how much.`
    : '';
  return `To fit what the model can read, ${parts.join(', and ')} (${sizes}). You still see all of it.${more}`;
}

/** What is going on while there is nothing new to read. */
export function progressWords(steps: number, open: Pick<StepView, 'text' | 'askedAgainIn'> | null): string {
  if (open?.askedAgainIn != null) return `Busy there; asked again in ${open.askedAgainIn} s…`;
  if (open?.text.text) return 'Writing…';
  return steps > 1 ? `Working, step ${steps}…` : 'Working…';
}

/** How an end is shown: its words, and whether going on makes sense. */
export interface EndWords {
  readonly text: string;
  readonly detail: string | null;
  /** `allow`: a person has to let the message go out; `settings`: a setting or a limit stands in the way. */
  readonly offer: 'continue' | 'retry' | 'allow' | 'settings' | null;
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
      return { text: `Stopped after ${end.steps} steps, its limit.`, detail: null, offer: 'continue', tone: 'warn' };
    case 'interrupted':
      return { text: 'Interrupted: Aside was closed in the middle.', detail: null, offer: 'continue', tone: 'warn' };
    case 'failed':
      return {
        text: sentence(end.failure.message),
        detail: end.failure.hint ? sentence(end.failure.hint) : null,
        offer: offerAfter(end.failure.code),
        tone: 'err',
      };
  }
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
