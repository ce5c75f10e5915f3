/** The requests about tasks. */

import { untilAnswered } from '../wire/actions';
import type {
  ActionName,
  Choice,
  Failure,
  Recipe,
  RunAgain,
  RunRecipe,
  SaveRecipe,
  TaskDecision,
  TaskDetail,
  TaskId,
  UndoTask,
} from '../wire/gen/types';
import { failureOf, newKey, request } from '../wire/requests';
import { invalidate } from '../wire/resource';
import { againPath, changed, taskPath } from './following';

/** Which steps of a plan an answer is about; all if neither is named. */
export interface Which {
  readonly steps?: number[];
  readonly actionType?: ActionName;
  /** Only these parts of the one step. */
  readonly parts?: number[];
  /** Why; it is told to the model whose plan it is. */
  readonly reason?: string;
}

/** Answers a plan as it was shown: `hash` is that of the plan on the screen. */
export function decidePlan(id: TaskId, decision: Choice, hash: string, which: Which = {}): Promise<Failure | null> {
  const body: TaskDecision = {
    decision,
    hash,
    ...(which.steps && { steps: which.steps }),
    ...(which.actionType && { action_type: which.actionType }),
    ...(which.parts && { parts: which.parts }),
    ...(which.reason && { reason: which.reason }),
  };
  return tell(id, 'decision', body);
}

/** Pauses a task, lets it go on, or ends it. */
export function steer(id: TaskId, what: 'pause' | 'resume' | 'cancel'): Promise<Failure | null> {
  return tell(id, what, undefined);
}

async function tell(id: TaskId, what: string, body: unknown): Promise<Failure | null> {
  try {
    await request<TaskDetail>('POST', `${taskPath(id)}/${what}`, body);
    return null;
  } catch (error) {
    return failureOf(error);
  } finally {
    changed(new Set([id]));
  }
}

/** Makes a task, or only shows what it would do. */
export type Make = (dry_run: boolean) => Promise<TaskDetail>;

/** Sent again under the same key if the answer was lost, so that there is one task. */
function made(path: string, body: RunAgain | RunRecipe | UndoTask): Promise<TaskDetail> {
  const keyed = { ...body, idempotency_key: newKey() };
  return untilAnswered(() => request('POST', path, keyed));
}

/** An earlier task again, perhaps with edits. */
export const again =
  (id: TaskId, body: Omit<RunAgain, 'dry_run'>): Make =>
  (dry_run) =>
    made(againPath(id), { ...body, dry_run } satisfies RunAgain);

/** A task taken back; partly, if not all of it can be. */
export const undone =
  (id: TaskId, partly: boolean): Make =>
  (dry_run) =>
    made(`${taskPath(id)}/undo`, { partly, dry_run } satisfies UndoTask);

/** A recipe with values for its parameters. */
export const fromRecipe =
  (name: string, set: Record<string, string>): Make =>
  (dry_run) =>
    made(`recipes/${encodeURIComponent(name)}/run`, { set, dry_run } satisfies RunRecipe);

/** Keeps the actions of a task as a recipe. */
export async function saveRecipe(body: SaveRecipe): Promise<Recipe> {
  const recipe = await request<Recipe>('POST', 'recipes', body);
  invalidate('recipes');
  return recipe;
}

/** Deletes a recipe; the tasks that came from it stay. */
export async function deleteRecipe(name: string): Promise<void> {
  await request('DELETE', `recipes/${encodeURIComponent(name)}`);
  invalidate('recipes');
}
