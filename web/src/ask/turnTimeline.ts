/** A turn of the assistant as a timeline: planned, executed, observed. Pure. */
import { failureOf } from '../actions/card';
import { titleOf } from '../actions/title';
import type { StepView, TurnView } from '../threads/events';
import type { ActionId, ActionRecord, TimelineEntry, ToolCall } from '../wire/gen/types';

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
  const names = step.calls.map(({ call }) => callWords(call)).join(', ');
  const plan: TimelineEntry = {
    at,
    phase: 'plan',
    text: firstLine(step.text.text) || names,
    step: step.step,
  };
  const refused = step.notices.filter(({ call }) => call !== null);
  const notAsked = refused.map(({ text }): TimelineEntry => {
    return { at, phase: 'observe', text: firstLine(text), step: step.step, state: 'failed' };
  });
  return [plan, ...known.flatMap((record) => entriesOfAction(record, step.step)), ...notAsked];
}

/** A call in words: what is looked up or run. */
function callWords({ name, args }: ToolCall): string {
  const said = (field: string) => firstLine(String((args as Record<string, unknown> | null)?.[field] ?? ''));
  switch (name.replaceAll('.', '_')) {
    case 'catalog_search':
      return `Looks up “${said('query')}”`;
    case 'catalog_describe':
      return `Reads about ${said('name')}`;
    case 'action_run':
      return `Calls ${said('action_type')}`;
    case 'hand_off':
      return 'Offers to hand the work over';
    default:
      return `Calls ${name}`;
  }
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
