import { lazy, Suspense, useEffect } from 'react';
import { Plain } from '../actions/Plain';
import { useAction } from '../actions/store';
import { openFile, openView } from '../frames/store';
import { leftByFile } from '../tasks/parts';
import { followPlans, usePlans } from '../tasks/plans';
import { Button } from '../ui/Button';
import type { ActionId, ActionRecord, TaskId } from '../wire/gen/types';
import type { Within } from './events';
import styles from './OfPlan.module.css';

const Card = lazy(async () => ({ default: (await import('../actions/ActionCard')).ActionCard }));

interface OfPlanProps {
  action: ActionId;
  within: readonly Within[];
}

/** Under the call that proposed a plan: what it has done, each with its way back, and what is left to answer and where. */
export function OfPlan({ action, within }: OfPlanProps) {
  const record = useAction(action);
  const task = record ? plannedBy(record) : null;
  if (task === null) return null;
  return <Steps task={task} done={within.filter(({ parent }) => parent === action)} />;
}

function Steps({ task, done }: { task: TaskId; done: readonly Within[] }) {
  useEffect(followPlans, []);
  const plan = usePlans(({ plans }) => plans.get(task)?.plan);
  if (!plan && done.length === 0) return null;
  return (
    <section className={styles.plan} aria-label={plan ? 'Plan to review' : 'Plan results'}>
      <Suspense fallback={null}>
        {done.map((each) => (
          <Card key={each.action} id={each.action} />
        ))}
      </Suspense>
      {plan && (
        <ul>
          {leftByFile(plan).map(({ path, words }) => (
            <li key={path}>
              <Button look="quiet" onClick={() => openFile(path)}>
                <Plain text={`${path}: ${words}`} />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button icon="tasks" onClick={() => openView({ kind: 'task', task })}>
        Open plan
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
