/** The tasks that wait for a person. */
import { useEffect } from 'react';
import { useConnection } from '../wire/connection';
import type { ListedTasks, Task } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { startTasks } from './following';

/** Those whose plan waits for a yes; what waits within a turn is counted as the action it is. */
export function useTasksWaiting(): readonly Task[] {
  useEffect(startTasks, []);
  const online = useConnection((state) => state.status === 'online');
  const tasks = useResource<ListedTasks>(online ? 'tasks?state=awaiting_confirmation' : null).data?.tasks ?? [];
  return tasks.filter(({ source }) => source.kind !== 'turn' && source.kind !== 'script');
}
