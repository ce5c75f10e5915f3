/** What a person can let a thread do, beside a yes to one run of cells. Pure. */
import type { ActionRecord, ThreadId } from '../wire/gen/types';

/** A thread, and the notebook whose cells it would run also after it has read what they put out. */
export interface RunOn {
  readonly thread: ThreadId;
  readonly notebook: string;
}

/** What there is to let, if a run waits only because the thread has read what runs of the same notebook put out. */
export function runOnOf({ state, verdict, origin, assessment }: ActionRecord): RunOn | null {
  const notebook = assessment.targets[0]?.id;
  const is = state === 'awaiting_confirmation' && verdict.rule === 'label/own-outputs';
  return is && origin.kind === 'turn' && notebook ? { thread: origin.thread, notebook } : null;
}
