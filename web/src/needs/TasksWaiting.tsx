import { Plain } from '../actions/Plain';
import { openView } from '../frames/store';
import { progressWords } from '../tasks/words';
import { Lead } from '../ui/Fold';
import type { Task } from '../wire/gen/types';
import styles from './NeedsYou.module.css';

/** Leads to each of them: its plan is looked at on its own page. */
export function TasksWaiting({ tasks }: { tasks: readonly Task[] }) {
  if (tasks.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Tasks to review">
      {tasks.map((task) => (
        <li key={task.id} className={styles.item} data-tone="warn">
          <Lead
            icon="tasks"
            title={<Plain text={task.goal} />}
            state="plan needs review"
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
