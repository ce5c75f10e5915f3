/** What is said of tasks, plans and steps. Pure. */
import type { Tone } from '../ui/Fold';
import type { IconName } from '../ui/Icon';
import type { Completeness, Pause, Plan, PlanStep, StepState, Task, TaskSource, TaskState } from '../wire/gen/types';

/** A state as it is shown. */
export interface StateWords {
  readonly word: string;
  readonly icon: IconName;
  readonly tone: Tone;
}

const STATES: Record<TaskState, StateWords> = {
  created: { word: 'created', icon: 'circle', tone: 'quiet' },
  planned: { word: 'planned', icon: 'circle', tone: 'quiet' },
  awaiting_confirmation: { word: 'waiting for you', icon: 'hand', tone: 'warn' },
  running: { word: 'running', icon: 'spinner', tone: 'accent' },
  completed: { word: 'completed', icon: 'check', tone: 'ok' },
  failed: { word: 'failed', icon: 'error', tone: 'err' },
  cancelled: { word: 'cancelled', icon: 'stop', tone: 'quiet' },
};

const PAUSES: Record<Pause, string> = {
  person: 'paused',
  interrupted: 'interrupted because Aside closed; check its changes before you resume',
  step_limit: 'paused at the limit of model calls',
};

/** How a task stands. */
export function stateOf(task: Task): StateWords {
  if (task.undone_by) return { word: 'undone', icon: 'undo', tone: 'quiet' };
  if (task.paused) return { word: PAUSES[task.paused], icon: 'pause', tone: 'warn' };
  return STATES[task.state];
}

/** Tells whether nothing more will happen. */
export function isOver({ state }: Task): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled';
}

/** "Step 2 of 5"; "3 done" where nobody knows how many there are; empty before anything was begun. */
export function progressWords({ progress: { step, of, done } }: Task): string {
  if (of !== null) return step === 0 ? `${of} ${of === 1 ? 'step' : 'steps'}` : `step ${step} of ${of}`;
  return done > 0 ? `${done} done` : '';
}

/** The share that is done, from 0 to 1; null where nobody knows. */
export function progressShare({ progress: { of, done } }: Task): number | null {
  return of ? Math.min(1, done / of) : null;
}

/** What it was made from. */
export function sourceWords(source: TaskSource): string {
  switch (source.kind) {
    case 'turn':
      return 'a message';
    case 'plan':
      return 'a plan';
    case 'again':
      return 'an earlier task, run again';
    case 'recipe':
      return `the recipe ${source.name}`;
    case 'undo':
      return 'the undo of an earlier task';
    case 'script':
      return source.path ? `the script ${source.path}` : 'a script';
  }
}

/** How much of what it does is shown. */
export function completenessWords(completeness: Completeness): { text: string; tone: Tone } {
  switch (completeness) {
    case 'full':
      return { text: 'The preview is complete.', tone: 'ok' };
    case 'partial':
      return { text: 'The preview is incomplete.', tone: 'warn' };
    case 'opaque':
      return { text: 'Some effects can’t be previewed.', tone: 'warn' };
  }
}

const STEPS: Record<StepState, StateWords> = {
  waiting: { word: 'to do', icon: 'circle', tone: 'quiet' },
  left_out: { word: 'skipped', icon: 'bar', tone: 'quiet' },
  running: { word: 'running', icon: 'spinner', tone: 'accent' },
  done: { word: 'done', icon: 'check', tone: 'ok' },
  failed: { word: 'failed', icon: 'error', tone: 'err' },
  interrupted: { word: 'interrupted', icon: 'clock', tone: 'warn' },
};

/** How a step of a plan stands. */
export function stepState(step: PlanStep): StateWords {
  if (step.state === 'waiting' && step.approved_by) return { word: 'confirmed', icon: 'check', tone: 'accent' };
  return STEPS[step.state];
}

/** What a step does, in the words of its preview. */
export function stepTitle({ preview, request }: PlanStep): string {
  return preview?.summary.trim() || request.action_type;
}

/** The steps that wait for a yes. */
export function openSteps(plan: Plan): PlanStep[] {
  return plan.steps.filter((step) => step.state === 'waiting' && step.approved_by === null && step.problem === null);
}

/** The kinds of actions among steps, with how many of each, if there are several kinds. */
export function classesOf(steps: readonly PlanStep[]): { actionType: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { request } of steps) counts.set(request.action_type, (counts.get(request.action_type) ?? 0) + 1);
  return counts.size < 2 ? [] : [...counts].map(([actionType, count]) => ({ actionType, count }));
}

/** Tells whether any of the steps destroys something. */
export function isDestructive(steps: readonly PlanStep[]): boolean {
  return steps.some((step) => step.risks.includes('destructive'));
}
