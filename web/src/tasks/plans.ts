/**
 * The plans that wait for a person, for the editors that show their changes, and the answers to those. An answer to one
 * may give the others other numbers and the plan another hash, so answers go one after the other.
 */
import { create } from 'zustand';
import { toast, toastFailure } from '../ui/Toast';
import { connection, useConnection } from '../wire/connection';
import type { Choice, ListedTasks, Plan, Task, TaskDetail, TaskId } from '../wire/gen/types';
import { request } from '../wire/requests';
import { taskPath } from './following';
import { isLastYes, partsOf } from './parts';
import { decidePlan } from './store';

/** A plan that waits, with its task. */
export interface WaitingPlan {
  readonly task: Task;
  readonly plan: Plan;
}

/** An answer that is on its way. */
interface Answering {
  readonly step: number;
  readonly keys: readonly string[];
  readonly choice: Choice;
}

interface Plans {
  readonly plans: ReadonlyMap<TaskId, WaitingPlan>;
  readonly answering: ReadonlyMap<TaskId, readonly Answering[]>;
}

/** For components and editors. */
export const usePlans = create<Plans>(() => ({ plans: new Map(), answering: new Map() }));

let following = false;

/** Starts once per window, with the first editor. */
export function followPlans(): void {
  if (following) return;
  following = true;
  connection.on('task_changed', ({ task }) => void heard(task));
  connection.on('hello', () => void readAll());
  if (useConnection.getState().status === 'online') void readAll();
}

/** What waits within a turn is its actions, which have records of their own. */
function waits({ state, source }: Task): boolean {
  return state === 'awaiting_confirmation' && source.kind !== 'turn' && source.kind !== 'script';
}

async function heard(task: Task): Promise<void> {
  if (waits(task)) return read(task.id);
  if (usePlans.getState().plans.has(task.id)) learnPlan(task, null);
}

async function readAll(): Promise<void> {
  const listed = await request<ListedTasks>('GET', 'tasks?state=awaiting_confirmation').catch(() => null);
  if (!listed) return;
  const waiting = listed.tasks.filter(waits).map(({ id }) => id);
  for (const { task } of usePlans.getState().plans.values()) if (!waiting.includes(task.id)) learnPlan(task, null);
  await Promise.all(waiting.map(read));
}

const reads = new Map<TaskId, number>();

/** A late answer does not replace a newer one. */
async function read(id: TaskId): Promise<void> {
  const number = (reads.get(id) ?? 0) + 1;
  reads.set(id, number);
  const detail = await request<TaskDetail>('GET', taskPath(id)).catch(() => null);
  if (detail && reads.get(id) === number) learnPlan(detail.task, waits(detail.task) ? detail.plan : null);
}

/** Takes in how a plan stands; null if it does not wait any more. */
export function learnPlan(task: Task, plan: Plan | null): void {
  usePlans.setState(({ plans }) => {
    const known = new Map(plans);
    if (plan) known.set(task.id, { task, plan });
    else known.delete(task.id);
    return { plans: known };
  });
}

/** What is answered about a plan: changes of one step, by what they are. */
export interface PartAnswer {
  readonly task: TaskId;
  readonly step: number;
  readonly keys: readonly string[];
}

/** Answers changes of a step after the answers before; tells whether it went through. */
export function answerParts(about: PartAnswer, choice: Choice, reason?: string): Promise<boolean> {
  const { task, step, keys } = about;
  const pending = usePlans.getState().answering.get(task) ?? [];
  if (pending.some((each) => each.step === step && each.keys.some((key) => keys.includes(key)))) {
    return Promise.resolve(false);
  }
  const asked: Answering = { step, keys, choice };
  const shown = usePlans.getState().plans.get(task)?.plan.hash;
  changeAnswering(task, (all) => [...all, asked]);
  const answered = (turns.get(task) ?? Promise.resolve()).then(() => send(about, choice, shown, reason));
  turns.set(
    task,
    answered.then(() => {}),
  );
  return answered.finally(() => changeAnswering(task, (all) => all.filter((each) => each !== asked)));
}

const turns = new Map<TaskId, Promise<void>>();

async function send(
  { task, step, keys }: PartAnswer,
  choice: Choice,
  shown: string | undefined,
  reason: string | undefined,
): Promise<boolean> {
  const plan = usePlans.getState().plans.get(task)?.plan;
  const current = plan?.steps.find(({ number }) => number === step);
  if (!plan || !current) return false;
  const parts = partsOf(current).filter(({ key }) => keys.includes(key));
  if (parts.length === 0) return false;
  if (choice === 'approve' && plan.hash !== shown && isLastYes(plan, step, keys)) {
    // A plan starts on a yes to what was on the screen, and nothing else.
    toast('The plan has changed. Review it again, then confirm it.');
    return false;
  }
  const which = { steps: [step], parts: parts.map(({ hunk }) => hunk.part), ...(reason && { reason }) };
  return answer(task, choice, plan.hash, which);
}

async function answer(task: TaskId, ...said: DecisionSaid): Promise<boolean> {
  const failure = await decidePlan(task, ...said);
  await read(task);
  if (failure) toastFailure(failure);
  return failure === null;
}

type DecisionSaid = [Choice, string, Parameters<typeof decidePlan>[3]?];

/** Says yes to all of a plan as it is on the screen. */
export async function confirmPlan(task: TaskId): Promise<boolean> {
  const plan = usePlans.getState().plans.get(task)?.plan;
  const pending = usePlans.getState().answering.get(task) ?? [];
  return plan && pending.length === 0 ? answer(task, 'approve', plan.hash) : false;
}

/** The answer about a change that is on its way, if one is. */
export function planAnswerTo({ answering }: Plans, task: TaskId, step: number, key: string): Choice | null {
  const pending = answering.get(task) ?? [];
  return pending.find((each) => each.step === step && each.keys.includes(key))?.choice ?? null;
}

function changeAnswering(task: TaskId, change: (all: readonly Answering[]) => readonly Answering[]): void {
  usePlans.setState(({ answering }) => {
    const all = new Map(answering);
    const pending = change(all.get(task) ?? []);
    if (pending.length > 0) all.set(task, pending);
    else all.delete(task);
    return { answering: all };
  });
}
