import { useState } from 'react';
import { useSettled } from '../actions/useSettled';
import { Button } from '../ui/Button';
import { Note, Problem } from '../ui/Note';
import sticky from '../ui/Sticky.module.css';
import type { Failure, Plan, TaskId } from '../wire/gen/types';
import { decidePlan, type Which } from './store';
import styles from './Tasks.module.css';
import { classesOf, isDestructive, openSteps } from './words';

/** The answers to a plan that waits: all of it, one kind of its steps, or none. */
export function Decide({ task, plan }: { task: TaskId; plan: Plan }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Failure | null>(null);
  const [sureOf, setSureOf] = useState<string | null>(null);
  const settled = useSettled(plan.hash);
  const open = openSteps(plan);
  const say = async (decision: 'approve' | 'reject', which?: Which) => {
    setBusy(true);
    setProblem(await decidePlan(task, decision, plan.hash, which));
    setBusy(false);
  };
  const destructive = isDestructive(open);
  const sure = sureOf === plan.hash;
  const all = open.length === 1 ? 'Confirm' : `Confirm all ${open.length} steps`;
  return (
    <>
      {problem && <Problem failure={problem} />}
      <div className={`${styles.buttons} ${sticky.foot}`} data-card>
        <Button
          data-intent="accept"
          look={destructive ? 'danger' : 'primary'}
          disabled={busy || !settled || open.length === 0}
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => (destructive && !sure ? setSureOf(plan.hash) : void say('approve'))}
        >
          {sure && destructive ? `Really ${all.toLowerCase()}` : all}
        </Button>
        {classesOf(open).map(({ actionType, count }) => (
          <Button
            key={actionType}
            disabled={busy || !settled}
            onKeyDown={(event) => event.repeat && event.preventDefault()}
            onClick={() => void say('approve', { actionType })}
          >
            Only {count} × <code>{actionType}</code>
          </Button>
        ))}
        <Button data-intent="reject" disabled={busy} onClick={() => void say('reject')}>
          Reject plan
        </Button>
      </div>
      <Note>Aside runs exactly this plan. If a file has changed, Aside stops and asks again.</Note>
    </>
  );
}
