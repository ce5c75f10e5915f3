// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { planStep } from '../testing/plans';
import { hunk } from '../testing/records';
import type { Hunk, Plan, PlanStep, Task, TaskDecision } from '../wire/gen/types';
import { partsOf } from './parts';
import { answerParts, confirmPlan, learnPlan, usePlans } from './plans';

const request = vi.hoisted(() => vi.fn());

vi.mock('../wire/requests', async (original) => ({ ...(await original<object>()), request }));

const HUNKS = [hunk(0, 1, ['a'], ['b']), hunk(1, 5, ['c'], ['d']), hunk(2, 9, ['e'], ['f'])];
const TASK = { id: 'tsk_1', goal: 'g', state: 'awaiting_confirmation', source: { kind: 'plan' } } as Task;

let plan: Plan;
let told: TaskDecision[];

/** A plan of one step; its hash says which changes are in it. */
function planOf(hunks: readonly Hunk[], accepted: number[] = []): Plan {
  const numbered = hunks.map((each, part) => ({ ...each, part }));
  const step: PlanStep = { ...planStep(1, 'model.py', numbered), accepted };
  return { steps: [step], completeness: 'full', hash: hunks.map(({ start }) => start).join(), shown: 0 };
}

/** What the server does with an answer: parts that are rejected go, and the others are counted anew. */
function take(decision: TaskDecision): void {
  told.push(decision);
  const [step] = plan.steps;
  if (!step || !decision.parts) return;
  const parts = partsOf(step);
  const named = new Set(decision.parts);
  if (decision.decision === 'approve')
    plan = planOf(
      parts.map(({ hunk: each }) => each),
      [...step.accepted, ...named],
    );
  else plan = planOf(parts.filter((part) => !named.has(part.hunk.part)).map(({ hunk: each }) => each));
}

beforeEach(() => {
  plan = planOf(HUNKS);
  told = [];
  usePlans.setState({ plans: new Map(), answering: new Map() });
  learnPlan(TASK, plan);
  request.mockReset();
  request.mockImplementation(async (method: string, _: string, body: TaskDecision) => {
    if (method === 'POST') take(body);
    return { task: TASK, plan };
  });
});

const keys = () =>
  planOf(HUNKS)
    .steps.flatMap(partsOf)
    .map(({ key }) => key);
const about = (...at: number[]) => ({ task: 'tsk_1', step: 1, keys: at.map((each) => keys()[each] ?? '') });

test('answers are sent in order for current plans', async () => {
  await Promise.all([answerParts(about(0), 'reject'), answerParts(about(2), 'reject', 'not this')]);
  expect(told).toEqual([
    { decision: 'reject', hash: '1,5,9', steps: [1], parts: [0] },
    { decision: 'reject', hash: '5,9', steps: [1], parts: [1], reason: 'not this' },
  ]);
});

test('a pending answer is not repeated', async () => {
  const first = answerParts(about(0, 1), 'approve');
  expect(await answerParts(about(1), 'reject')).toBe(false);
  expect(await first).toBe(true);
  expect(told.length).toBe(1);
  expect(usePlans.getState().answering.size).toBe(0);
});

test('a final approval needs the current plan', async () => {
  const [rejected, accepted] = await Promise.all([
    answerParts(about(0, 1), 'reject'),
    answerParts(about(2), 'approve'),
  ]);
  expect([rejected, accepted]).toEqual([true, false]);
  expect(told.map(({ decision }) => decision)).toEqual(['reject']);
  expect(await answerParts(about(2), 'approve')).toBe(true);
});

test('a plan is confirmed as shown', async () => {
  const answered = answerParts(about(0), 'reject');
  expect(await confirmPlan('tsk_1')).toBe(false);
  await answered;
  expect(await confirmPlan('tsk_1')).toBe(true);
  expect(told.at(-1)).toEqual({ decision: 'approve', hash: '5,9' });
});
