import { useEffect } from 'react';
import { Plain } from '../actions/Plain';
import { useAction } from '../actions/store';
import { openFile, openView } from '../frames/store';
import { leftByFile } from '../tasks/parts';
import { followPlans, usePlans } from '../tasks/plans';
import { Button } from '../ui/Button';
import type { ActionId, ActionRecord, TaskId } from '../wire/gen/types';
import styles from './PlanLeft.module.css';

/** Under the call that proposed a plan, while the plan waits: what is left to answer in each of its files, and where. */
export function PlanLeft({ action }: { action: ActionId }) {
  const record = useAction(action);
  const task = record ? plannedBy(record) : null;
  return task === null ? null : <Left task={task} />;
}

function Left({ task }: { task: TaskId }) {
  useEffect(followPlans, []);
  const plan = usePlans(({ plans }) => plans.get(task)?.plan);
  if (!plan) return null;
  return (
    <section className={styles.left} aria-label="The plan waits">
      <ul>
        {leftByFile(plan).map(({ path, words }) => (
          <li key={path}>
            <Button look="quiet" onClick={() => openFile(path)}>
              <Plain text={`${path}: ${words}`} />
            </Button>
          </li>
        ))}
      </ul>
      <Button icon="tasks" onClick={() => openView({ kind: 'task', task })}>
        The whole plan
      </Button>
    </section>
  );
}

/** The task that a call has made, if it proposed a plan. */
function plannedBy({ envelope, outcome }: ActionRecord): TaskId | null {
  if (envelope.action_type !== 'task.plan' || outcome?.kind !== 'done') return null;
  const { task } = outcome.observation.data as { task?: TaskId };
  return task ?? null;
}
