/**
 * The fold of a thread's log into what is shown: turns, their steps, and which action stands where.
 *
 * Pure. The records of actions are kept in `actions/store.ts`; here is only their place in the thread.
 */
import type {
  ActionId,
  ActionRecord,
  ContextChip,
  Cost,
  Focus,
  LeftOut,
  LiveDelta,
  ModelRef,
  StepStop,
  Thread,
  ThreadEvent,
  ToolCall,
  TurnEnd,
  TurnId,
  Usage,
} from '../wire/gen/types';

/** A thread as far as its log has been read. */
export interface ThreadView {
  /** The thread as its log last described it; null until it changed once. */
  readonly thread: Thread | null;
  /** The last entry that was folded in. */
  readonly seq: number;
  readonly turns: readonly TurnView[];
}

/** One message to the end of its answer. */
export interface TurnView {
  readonly id: TurnId;
  readonly text: string;
  readonly by: string;
  readonly at: number;
  readonly model: ModelRef;
  readonly focus: Focus | null;
  readonly chips: readonly ContextChip[];
  readonly steps: readonly StepView[];
  /** How it ended; null while it runs or waits. */
  readonly end: TurnEnd | null;
  readonly usage: Usage | null;
  readonly cost: Cost | null;
}

/** One model call and what it asked for. */
export interface StepView {
  readonly step: number;
  readonly text: Streamed;
  readonly thinking: Streamed;
  readonly calls: readonly CallView[];
  /** Actions of this step that answer none of its calls. */
  readonly loose: readonly ActionId[];
  /** Actions that carry out a part of another one, or a step of the plan that it proposed. */
  readonly within: readonly Within[];
  readonly notices: readonly NoticeView[];
  /** Why the call ended; null while the model answers. */
  readonly stop: StepStop | null;
  /** What the model was not given of the conversation, if anything. */
  readonly leftOut: LeftOut | null;
  /** What the call used and cost; null while the model answers. */
  readonly usage: Usage | null;
  readonly cost: Cost | null;
  /** In how many seconds a server that is busy is asked again; null if it answers. */
  readonly askedAgainIn: number | null;
}

/** An action within another one. */
export interface Within {
  readonly action: ActionId;
  readonly parent: ActionId;
}

/** A tool call with the action it became, once the Gate has it. */
export interface CallView {
  readonly call: ToolCall;
  readonly action: ActionId | null;
}

/** What was said to the model about a call that never became an action, or about the step. */
export interface NoticeView {
  readonly call: string | null;
  readonly text: string;
}

/** Text that comes in pieces: `early` are those that came before the pieces in front of them. */
export interface Streamed {
  readonly text: string;
  readonly early: readonly Piece[];
}

interface Piece {
  readonly offset: number;
  readonly text: string;
}

/** A thread of which nothing has been read. */
export const EMPTY_THREAD: ThreadView = { thread: null, seq: 0, turns: [] };

const NOTHING_YET: Streamed = { text: '', early: [] };

/** Folds one entry of the log in; one that was folded in before changes nothing. */
export function applyEvent(view: ThreadView, event: ThreadEvent): ThreadView {
  if (event.seq <= view.seq) return view;
  return { ...applyBody(view, event), seq: event.seq };
}

function applyBody(view: ThreadView, event: ThreadEvent): ThreadView {
  const body = event.body;
  switch (body.type) {
    case 'turn_started':
      return { ...view, turns: [...view.turns, newTurn(body, event.at)] };
    case 'context_sent':
      return changeTurn(view, body.turn, (turn) => ({ ...turn, chips: body.chips }));
    case 'step_started':
      return changeStep(view, body.turn, body.step, (step) => step);
    case 'step_ended':
      return changeStep(view, body.turn, body.step, (step) => ({
        ...step,
        text: whole(body.text),
        thinking: whole(body.thinking),
        stop: body.stop,
        leftOut: body.left_out ?? null,
        usage: body.usage,
        cost: body.cost,
        askedAgainIn: null,
        ...placeCalls(step, body.calls),
      }));
    case 'action_changed':
      return placeAction(view, body.record);
    case 'notice':
      return changeStep(view, body.turn, body.step, (step) => ({
        ...step,
        notices: [...step.notices, { call: body.call ?? null, text: body.text }],
      }));
    case 'turn_ended':
      return changeTurn(view, body.turn, (turn) => ({ ...turn, end: body.end, usage: body.usage, cost: body.cost }));
    case 'thread_changed':
      return { ...view, thread: body.thread };
    default:
      return view;
  }
}

/** Folds in a piece that is not in the log yet; pieces may overlap, repeat, and come out of order. */
export function applyDelta(view: ThreadView, delta: LiveDelta): ThreadView {
  // Output of a running action is shown in its card, which follows it by itself.
  if (delta.type === 'output') return view;
  if (!view.turns.some((turn) => turn.id === delta.turn && turn.end === null)) return view;
  return changeStep(view, delta.turn, delta.step, (step) => {
    if (step.stop !== null) return step;
    if (delta.type === 'waiting') return { ...step, askedAgainIn: delta.seconds };
    const merged = mergePiece(step[delta.type], delta);
    return merged === step[delta.type] ? step : { ...step, [delta.type]: merged, askedAgainIn: null };
  });
}

function mergePiece(streamed: Streamed, piece: Piece): Streamed {
  const known = streamed.text.length;
  if (piece.offset + piece.text.length <= known) return streamed;
  if (piece.offset > known) return { ...streamed, early: [...streamed.early, piece] };
  const text = streamed.text + piece.text.slice(known - piece.offset);
  return streamed.early.length === 0 ? { text, early: [] } : mergeEarly({ text, early: [] }, streamed.early);
}

function mergeEarly(streamed: Streamed, pieces: readonly Piece[]): Streamed {
  const inOrder = [...pieces].sort((one, two) => one.offset - two.offset);
  return inOrder.reduce<Streamed>(mergePiece, streamed);
}

/** The turn that has not ended, if any. */
export function openTurn(view: ThreadView): TurnView | null {
  return view.turns.findLast((turn) => turn.end === null) ?? null;
}

/** The step whose text is coming in, if any. */
export function openStep(turn: TurnView): StepView | null {
  const last = turn.steps.at(-1);
  return last && last.stop === null ? last : null;
}

/** Tells whether more was left out at a step than at the one before, so that it is worth a word. */
export function isNewlyLeftOut(turn: TurnView, index: number): boolean {
  const now = turn.steps[index]?.leftOut;
  const before = turn.steps[index - 1]?.leftOut;
  return !!now && (now.messages !== before?.messages || now.shortened !== before.shortened);
}

/** Every action of a turn, in the order of the calls. */
export function actionsOf(turn: TurnView): ActionId[] {
  return turn.steps.flatMap((step) => [
    ...step.calls.flatMap((call) => (call.action ? [call.action] : [])),
    ...step.loose,
  ]);
}

/** What is sent to try again: the message, unless something came of it already, which would then be asked for twice. */
export function again(turn: TurnView): string {
  // What is read to go along, before the model is called, is read again in any case.
  const acted = turn.steps.some(
    ({ step, calls, loose }) => step > 0 && (loose.length > 0 || calls.some((c) => c.action)),
  );
  return acted ? 'Continue.' : turn.text;
}

function newTurn(body: Extract<ThreadEvent['body'], { type: 'turn_started' }>, at: number): TurnView {
  const { turn: id, text, by, model, focus } = body;
  return { id, text, by, at, model, focus, chips: [], steps: [], end: null, usage: null, cost: null };
}

function newStep(step: number): StepView {
  return {
    step,
    text: NOTHING_YET,
    thinking: NOTHING_YET,
    calls: [],
    loose: [],
    within: [],
    notices: [],
    stop: null,
    leftOut: null,
    usage: null,
    cost: null,
    askedAgainIn: null,
  };
}

function whole(text: string): Streamed {
  return { text, early: [] };
}

function changeTurn(view: ThreadView, id: TurnId, change: (turn: TurnView) => TurnView): ThreadView {
  const index = view.turns.findLastIndex((turn) => turn.id === id);
  const turn = view.turns[index];
  if (!turn) return view;
  const changed = change(turn);
  return changed === turn ? view : { ...view, turns: view.turns.with(index, changed) };
}

function changeStep(view: ThreadView, id: TurnId, number: number, change: (step: StepView) => StepView): ThreadView {
  return changeTurn(view, id, (turn) => {
    const index = turn.steps.findIndex((step) => step.step === number);
    if (index < 0) return { ...turn, steps: [...turn.steps, change(newStep(number))] };
    const step = turn.steps[index] as StepView;
    const changed = change(step);
    return changed === step ? turn : { ...turn, steps: turn.steps.with(index, changed) };
  });
}

function placeCalls(step: StepView, calls: readonly ToolCall[]): Pick<StepView, 'calls'> {
  const known = new Map(step.calls.map((call) => [call.call.id, call.action]));
  return { calls: calls.map((call) => ({ call, action: known.get(call.id) ?? null })) };
}

/** Gives an action its place; one within another is shown by that one. */
function placeAction(view: ThreadView, record: ActionRecord): ThreadView {
  const { origin, parent, undoes } = record;
  if (origin.kind !== 'turn' || undoes !== null) return view;
  const id = record.envelope.id;
  return changeStep(view, origin.turn, origin.step, (step) => {
    if (parent !== null) {
      const known = step.within.some(({ action }) => action === id);
      return known ? step : { ...step, within: [...step.within, { action: id, parent }] };
    }
    if (step.loose.includes(id) || step.calls.some((call) => call.action === id)) return step;
    const index = step.calls.findIndex((call) => call.call.id === origin.call && call.action === null);
    const call = step.calls[index];
    if (!call) return { ...step, loose: [...step.loose, id] };
    return { ...step, calls: step.calls.with(index, { ...call, action: id }) };
  });
}
