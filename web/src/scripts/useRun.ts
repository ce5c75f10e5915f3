import { useEffect } from 'react';
import { startTasks, taskPath } from '../tasks/following';
import type { TaskId } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import type { ScriptTask } from './scriptTask';

/** The task of a run, read again whenever it changes. */
export function useRun(task: TaskId | null): ScriptTask | undefined {
  useEffect(startTasks, []);
  return useResource<ScriptTask>(task === null ? null : taskPath(task)).data;
}
