import { useEffect } from 'react';
import { Plain } from '../actions/Plain';
import { openView } from '../frames/store';
import { startTasks } from '../tasks/store';
import { progressWords } from '../tasks/words';
import { Lead } from '../ui/Fold';
import type { Task } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './NeedsYou.module.css';

/** The tasks whose plan waits for a yes; what waits within a turn is listed as the action it is. */
export function useTasksWaiting(): readonly Task[] {
  useEffect(startTasks, []);
  const tasks = useResource<Task[]>('tasks').data ?? [];
  return tasks.filter((task) => task.state === 'awaiting_confirmation' && task.source.kind !== 'turn');
}

/** Leads to each of them: its plan is looked at on its own page. */
export function TasksWaiting({ tasks }: { tasks: readonly Task[] }) {
  if (tasks.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Tasks that wait for you">
      {tasks.map((task) => (
        <li key={task.id} className={styles.item} data-tone="warn">
          <Lead
            icon="tasks"
            title={<Plain text={task.goal} />}
            state="its plan needs you"
            onGo={() => openView({ kind: 'task', task: task.id })}
          >
            <span>{progressWords(task)}</span>
            <span>for {task.by}</span>
          </Lead>
        </li>
      ))}
    </ul>
  );
}
