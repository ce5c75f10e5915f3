/** A run of a script, as the server says it. */
import type { ActionId, ActionName, Completeness, Preview, Risk, Sha256, TaskDetail } from '../wire/gen/types';

/** A problem of a script, found before anything runs. */
export interface ScriptFinding {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A change that a dry run foresees. */
export interface ScriptChange {
  readonly action_type: ActionName;
  readonly args: unknown;
  readonly summary: string;
  readonly path?: string;
  readonly completeness: Completeness;
  readonly asks: boolean;
  readonly preview?: Preview;
}

/** The reason why a script did not reach its end. */
export interface ScriptFault {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly line?: number;
  readonly action_type?: string;
}

/** A run of a script, as far as it is. */
export interface ScriptReport {
  readonly path?: string;
  readonly dry_run: boolean;
  readonly result?: unknown;
  readonly error?: ScriptFault;
  readonly console: { readonly text: string; readonly truncated: boolean };
  readonly changes?: readonly ScriptChange[];
  readonly completeness?: Completeness;
  readonly replayed: number;
  readonly calls_done: number;
}

/** The call that waits for a person. */
export interface PendingCall {
  readonly id: ActionId;
  readonly action_type: ActionName;
  readonly args: unknown;
  readonly preview: Preview | null;
  readonly risks: readonly Risk[];
  readonly reason: string;
  readonly hash: Sha256 | null;
  readonly behind: number;
}

/** A task that runs a script. */
export type ScriptTask = TaskDetail & { readonly script: ScriptReport; readonly pending?: PendingCall | null };

/** Tells whether a task runs a script. */
export function isScriptTask(detail: TaskDetail): detail is ScriptTask {
  return 'script' in detail && typeof detail.script === 'object' && detail.script !== null;
}
