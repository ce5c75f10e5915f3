/** Tasks that run scripts. Pure. */
import type { ScriptReport, TaskDetail } from '../wire/gen/types';

/** A task that runs a script. */
export type ScriptTask = TaskDetail & { readonly script: ScriptReport };

/** Tells whether a task runs a script. */
export function isScriptTask(detail: TaskDetail): detail is ScriptTask {
  return detail.script !== undefined && detail.script !== null;
}
