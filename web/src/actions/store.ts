/**
 * The newest record of every action that this window has heard of, and what it asks the server about them.
 *
 * Records come from the logs of open threads, from answers to requests, and from the list of what waits for a
 * person; `newer` says which of two stands. The server decides; here is only what it said last.
 */
import { create } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { afterPaint } from '../ui/painted';
import { decideAction, decideActions, MOST_DECISIONS, stopAction, undoAction } from '../wire/actions';
import type {
  ActionId,
  ActionRecord,
  Choice,
  Decision,
  DecisionTaken,
  Failure,
  Sha256,
  Submitted,
} from '../wire/gen/types';
import { failureOf, RequestFailed, request } from '../wire/requests';
import { acceptedParts, failureOf as failureIn, toRedo, toUndo } from './card';
import { newer, wasRenewed } from './newer';

/** What is asked of the server about an action. */
interface Question {
  /** The parts it is about, null for all of them. */
  readonly parts: readonly number[] | null;
  /** The answer that it gives, if it is one. */
  readonly choice: Choice | null;
}

/** One such question that is under way. */
export interface Pending extends Question {
  readonly answered: Promise<boolean>;
}

interface Actions {
  readonly records: ReadonlyMap<ActionId, ActionRecord>;
  /** Actions with questions that the server has not answered yet. */
  readonly deciding: ReadonlyMap<ActionId, readonly Pending[]>;
  /** Actions that were asked again with a new preview after the document changed. */
  readonly renewed: ReadonlySet<ActionId>;
  /** Why the last answer did not go through. */
  readonly problems: ReadonlyMap<ActionId, Failure>;
}

/** For components; subscribe to one action, not to all. */
export const useActions = create<Actions>(() => ({
  records: new Map(),
  deciding: new Map(),
  renewed: new Set(),
  problems: new Map(),
}));

/** One action's record, for a component that shows it. */
export function useAction(id: ActionId): ActionRecord | undefined {
  return useActions((state) => state.records.get(id));
}

/** The records of an action's accepted parts, as far as they are known. */
export function useParts(record: ActionRecord): readonly ActionRecord[] {
  return useActions(useShallow(({ records }) => acceptedParts(record).flatMap((id) => records.get(id) ?? [])));
}

/** Takes in what the server says of an action, unless something newer is known. */
export function learn(...records: readonly ActionRecord[]): void {
  useActions.setState((state) => {
    const known = new Map(state.records);
    const renewed = new Set(state.renewed);
    for (const record of records) {
      const id = record.envelope.id;
      const before = known.get(id);
      if (before && !newer(record, before)) continue;
      known.set(id, before ? withKnownPreview(record, before) : record);
      if (before && wasRenewed(record, before)) renewed.add(id);
      else if (record.state !== 'awaiting_confirmation') renewed.delete(id);
    }
    return { records: known, renewed };
  });
}

/** The hash binds the preview: under the same hash it stays the same object, so that what shows it sees that nothing changed. */
function withKnownPreview(record: ActionRecord, before: ActionRecord): ActionRecord {
  const same = record.approval_hash !== null && record.approval_hash === before.approval_hash;
  return same && record.preview && before.preview ? { ...record, preview: before.preview } : record;
}

/** Reads again what waits for a person, and what became of that which did. */
export async function readWaiting(): Promise<void> {
  const waiting = await request<ActionRecord[]>('GET', 'actions?state=awaiting_confirmation');
  learn(...waiting);
  const listed = new Set(waiting.map((record) => record.envelope.id));
  const gone = waitingRecords(useActions.getState().records).filter((record) => !listed.has(record.envelope.id));
  await Promise.all(gone.map((record) => readAction(record.envelope.id)));
}

/** Reads one action; what can't be read is left as it is known. */
export async function readAction(id: ActionId): Promise<void> {
  const answer = await request<Submitted>('GET', `actions/${id}`).catch(() => null);
  if (answer) learn(answer.record);
}

/** Reads one action and its accepted parts. */
export async function readWithParts(id: ActionId): Promise<void> {
  await readAction(id);
  await withParts(id);
}

/** All that waits for a person, oldest first. */
export function waitingRecords(records: ReadonlyMap<ActionId, ActionRecord>): ActionRecord[] {
  return [...records.values()]
    .filter((record) => record.state === 'awaiting_confirmation')
    .sort((one, two) => one.created - two.created);
}

/** What an answer is about: all of an action, as it is known now, unless said otherwise. */
type Answer = Partial<Pick<Decision, 'parts' | 'hash' | 'reason' | 'scope' | 'rule_scope' | 'rule'>>;

/** Accepts an action as it is shown, or some parts of it. */
export function accept(id: ActionId, answer: Answer = {}): Promise<boolean> {
  return decide(id, { decision: 'approve', ...shown(id), ...said(answer) });
}

/** Rejects an action, or some parts of it; the reason is told to the model. */
export function reject(id: ActionId, answer: Answer = {}): Promise<boolean> {
  return decide(id, { decision: 'reject', ...shown(id), ...said(answer) });
}

/** Accepts several, each as it was shown, in as few messages as can be; returns how many went through. */
export async function acceptTogether(shown: readonly Shown[]): Promise<number> {
  const free = shown.filter(({ id }) => !useActions.getState().deciding.has(id));
  let accepted = 0;
  for (let at = 0; at < free.length; at += MOST_DECISIONS) {
    const some = free.slice(at, at + MOST_DECISIONS);
    const answers = decideActions(some.map(({ id, hash }) => ({ id, decision: { decision: 'approve', hash } })));
    const went = await Promise.all(some.map(({ id }) => ask(id, APPROVE_ALL, () => answerOf(answers, id))));
    accepted += went.filter(Boolean).length;
  }
  return accepted;
}

/** An action, bound to what was shown of it. */
export interface Shown {
  readonly id: ActionId;
  readonly hash: Sha256;
}

async function answerOf(answers: Promise<DecisionTaken[]>, id: ActionId): Promise<Submitted> {
  const { submitted, failure } = (await answers).find((each) => each.id === id) ?? {};
  if (submitted) return submitted;
  throw new RequestFailed(409, failure ?? { code: 'internal', message: 'Aside sent no response.', data: null });
}

/** Without what is empty. */
function said(answer: Answer): Answer {
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined && value !== ''));
}

/**
 * Asks a running action to end; what it did so far stays. Does not wait for the answer that set it going, which comes
 * only when it is at its end.
 */
export function stop(id: ActionId): Promise<boolean> {
  return exchange(id, () => stopAction(id));
}

/** Takes a done action back, or those of its parts that were accepted. */
export async function undo(id: ActionId): Promise<boolean> {
  const { record, parts } = await withParts(id);
  return record ? inTurn(id, toUndo(record, parts)) : false;
}

/** Does an action again that was taken back, by taking back what took it back. */
export async function redo(id: ActionId): Promise<boolean> {
  const { record, parts } = await withParts(id);
  return record ? inTurn(id, toRedo(record, parts)) : false;
}

/** The records of an action and of its accepted parts; those that are not known yet are read. */
async function withParts(id: ActionId): Promise<{ record: ActionRecord | undefined; parts: ActionRecord[] }> {
  const { records } = useActions.getState();
  const record = records.get(id);
  const ids = record ? acceptedParts(record) : [];
  await Promise.all(ids.filter((part) => !records.has(part)).map(readAction));
  return { record, parts: ids.flatMap((part) => useActions.getState().records.get(part) ?? []) };
}

/** Takes actions back one after the other; the first that can't be stops the rest. */
async function inTurn(id: ActionId, ids: readonly ActionId[]): Promise<boolean> {
  for (const each of ids) {
    if (!(await ask(id, NO_ANSWER, () => undoAction(each)))) return false;
    if (each !== id) await readAction(each);
  }
  return true;
}

/** An approval is bound to what is on the screen. */
function shown(id: ActionId): Pick<Decision, 'hash'> {
  const hash = useActions.getState().records.get(id)?.approval_hash;
  return hash ? { hash } : {};
}

function decide(id: ActionId, decision: Decision): Promise<boolean> {
  return ask(id, { parts: decision.parts ?? null, choice: decision.decision }, () => decideAction(id, decision));
}

/** A refused answer brings the record as it is now, with its new preview. */
function recordIn(failure: Failure): ActionRecord | null {
  const data = failure.data as Partial<ActionRecord> | null;
  return failure.code === 'stale' && data?.envelope ? (data as ActionRecord) : null;
}

/**
 * Sends a request about an action after those before it, so that a row of keys is a row of answers; what is
 * being asked already is not asked again. Tells whether it went through.
 */
function ask(id: ActionId, question: Question, send: Send): Promise<boolean> {
  const before = useActions.getState().deciding.get(id) ?? [];
  if (before.some((each) => overlap(each.parts, question.parts))) return Promise.resolve(false);
  useActions.setState(({ problems }) => ({ problems: without(problems, id) }));
  const last = before.at(-1);
  const answered = last ? last.answered.then(() => exchange(id, send)) : exchange(id, send);
  const asked: Pending = { ...question, answered };
  changeDeciding(id, (pending) => [...pending, asked]);
  return answered.finally(() => changeDeciding(id, (pending) => pending.filter((each) => each !== asked)));
}

/** The answer about a part of an action that is on its way, if one is. */
export function answerTo(deciding: Actions['deciding'], id: ActionId, part: number): Choice | null {
  return deciding.get(id)?.find((each) => each.choice !== null && overlap(each.parts, [part]))?.choice ?? null;
}

const APPROVE_ALL: Question = { parts: null, choice: 'approve' };
const NO_ANSWER: Question = { parts: null, choice: null };

type Send = () => Promise<{ record: ActionRecord }>;

function overlap(one: readonly number[] | null, two: readonly number[] | null): boolean {
  return one === null || two === null || one.some((part) => two.includes(part));
}

function changeDeciding(id: ActionId, change: (pending: readonly Pending[]) => readonly Pending[]): void {
  useActions.setState(({ deciding }) => {
    const pending = change(deciding.get(id) ?? []);
    return { deciding: pending.length > 0 ? new Map(deciding).set(id, pending) : without(deciding, id) };
  });
}

/** Sends one request and learns the answer, or what the action is now if it was refused. */
async function exchange(id: ActionId, send: Send): Promise<boolean> {
  try {
    // The answer is seen first: to send it takes as long as to show it.
    const { record } = await afterPaint(send);
    learn(record);
    if (record.envelope.id === id) return true;
    // What was asked for is another action: taking this one back.
    await readAction(id);
    const failure = failureIn(record);
    if (failure) throw new RequestFailed(200, failure);
    return true;
  } catch (error) {
    const failure = failureOf(error);
    const renewed = recordIn(failure);
    if (renewed) learn(renewed);
    else await readAction(id);
    useActions.setState(({ problems }) => ({ problems: new Map(problems).set(id, failure) }));
    return false;
  }
}

function without<Value>(map: ReadonlyMap<ActionId, Value>, id: ActionId): ReadonlyMap<ActionId, Value> {
  const rest = new Map(map);
  rest.delete(id);
  return rest;
}
