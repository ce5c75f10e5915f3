/** A turn of the assistant as a timeline: planned, executed, observed. Pure. */
import { failureOf } from '../actions/card';
import { titleOf } from '../actions/title';
import type { StepView, TurnView } from '../threads/events';
import type { ActionId, ActionRecord, TimelineEntry } from '../wire/gen/types';

/** Letters of a text in one row. */
const MOST_LETTERS = 200;

/** The entries of a turn so far. The text of the last step without calls is the answer, and no entry. */
export function timelineOf(turn: TurnView, records: ReadonlyMap<ActionId, ActionRecord>): TimelineEntry[] {
  return turn.steps.filter(({ step }) => step > 0).flatMap((step) => entriesOf(step, turn, records));
}

function entriesOf(step: StepView, turn: TurnView, records: ReadonlyMap<ActionId, ActionRecord>): TimelineEntry[] {
  const ids = [...step.calls.flatMap(({ action }) => action ?? []), ...step.loose];
  const known = ids.flatMap((id) => records.get(id) ?? []);
  if (step.calls.length === 0 && known.length === 0) return [];
  const at = known[0]?.created ?? turn.at;
  const names = step.calls.map(({ call }) => call.name).join(', ');
  const plan: TimelineEntry = {
    at,
    phase: 'plan',
    text: firstLine(step.text.text) || `Calls ${names}`,
    step: step.step,
  };
  return [plan, ...known.flatMap((record) => entriesOfAction(record, step.step))];
}

function entriesOfAction(record: ActionRecord, step: number): TimelineEntry[] {
  const { envelope, created, ended, state, outcome } = record;
  const done: TimelineEntry = {
    at: created,
    phase: 'execute',
    text: titleOf(record),
    step,
    action: envelope.id,
    state,
  };
  const seen = outcome?.kind === 'done' ? outcome.observation.text : (failureOf(record)?.message ?? '');
  if (seen.trim() === '') return [done];
  return [done, { at: ended ?? created, phase: 'observe', text: firstLine(seen), step }];
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > MOST_LETTERS ? `${line.slice(0, MOST_LETTERS - 1)}…` : line;
}

/** The text of the answer: that of the last step, unless it calls something. */
export function answerOf(turn: TurnView): { readonly text: string; readonly streaming: boolean } {
  const last = turn.steps.at(-1);
  if (!last || last.calls.length > 0) return { text: '', streaming: false };
  return { text: last.text.text, streaming: last.stop === null };
}
