/** How far the getting of a model is, from what the server says of it line by line. Pure. */
import type { ActionId, ActionRecord, Failure, PullLine } from '../wire/gen/types';

/** A pull as it is shown. */
export interface Pull {
  readonly model: string;
  /** `asking` until the server has answered; `waiting` for a person's decision. */
  readonly phase: 'asking' | 'waiting' | 'running' | 'done' | 'stopped' | 'failed';
  /** What Ollama is doing, in its words. */
  readonly status: string;
  /** Bytes that are here, and of how many; null while that is not known. */
  readonly completed: number;
  readonly total: number | null;
  /** What came when, in the latest seconds: for the speed. */
  readonly seen: readonly Seen[];
  /** The action, once there is one. */
  readonly action: ActionId | null;
  readonly failure: Pick<Failure, 'message' | 'hint'> | null;
}

interface Seen {
  /** Milliseconds. */
  readonly at: number;
  readonly completed: number;
}

/** The speed is that of so many milliseconds. */
const WINDOW = 5000;

/** A pull of which nothing is known yet. */
export function begun(model: string): Pull {
  return {
    model,
    phase: 'asking',
    status: '',
    completed: 0,
    total: null,
    seen: [],
    action: null,
    failure: null,
  };
}

/** Folds one line in, at a time in milliseconds. */
export function applyLine(pull: Pull, line: PullLine, now: number): Pull {
  switch (line.kind) {
    case 'begun':
      return { ...pull, model: line.model, action: line.action };
    case 'waiting':
      return { ...pull, phase: 'waiting', action: line.submitted.id };
    case 'progress': {
      const { status, completed, total } = line;
      const seen = [...pull.seen.filter(({ at }) => now - at < WINDOW), { at: now, completed }];
      return { ...pull, phase: 'running', status, completed, total, seen };
    }
    case 'ended':
      return ended(pull, line.record);
    case 'failed':
      return { ...pull, phase: 'failed', failure: line.failure };
  }
}

function ended(pull: Pull, record: ActionRecord): Pull {
  const action = record.envelope.id;
  if (record.state === 'done') return { ...pull, phase: 'done', action };
  // Whoever says no has stopped it.
  const byPerson = record.outcome?.kind === 'refused' && record.outcome.by === 'person';
  if (byPerson) return { ...pull, phase: 'stopped', action };
  return { ...pull, phase: 'failed', action, failure: failureIn(record) };
}

function failureIn({ outcome }: ActionRecord): Pick<Failure, 'message' | 'hint'> {
  return outcome && 'failure' in outcome ? outcome.failure : { message: 'Couldn’t download the model.' };
}

/** Tells whether it still goes on. */
export function isOn({ phase }: Pull): boolean {
  return phase === 'asking' || phase === 'waiting' || phase === 'running';
}

/** Of all bytes, from 0 to 1; null while that is not known. */
export function shareOf({ completed, total }: Pull): number | null {
  return total ? Math.min(1, completed / total) : null;
}

/** "1.2 of 2.6 GB · 24 MB/s · 1 min left". */
export function pullWords(pull: Pull): string {
  const { completed, total, status } = pull;
  if (!total) return status === '' ? 'Contacting Ollama…' : `${status}…`;
  const speed = speedOf(pull);
  const left = speed > 0 && completed < total ? (total - completed) / speed : null;
  const parts = [`${amount(completed)} of ${amount(total)}`];
  if (speed > 0) parts.push(`${amount(speed)}/s`);
  if (left !== null) parts.push(left < 60 ? 'less than a minute left' : `${Math.ceil(left / 60)} min left`);
  return parts.join(' · ');
}

/** Bytes a second. */
function speedOf({ seen }: Pull): number {
  const first = seen[0];
  const last = seen.at(-1);
  if (!first || !last || last.at === first.at) return 0;
  return Math.max(0, ((last.completed - first.completed) / (last.at - first.at)) * 1000);
}

/** "2.6 GB", in the units that Ollama has. */
function amount(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.round(bytes / 1e3)} KB`;
}
