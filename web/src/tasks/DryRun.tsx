import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Sources } from '../actions/Sources';
import { useSettled } from '../actions/useSettled';
import { openView } from '../frames/store';
import { Button } from '../ui/Button';
import { Note, Problem } from '../ui/Note';
import { toast } from '../ui/Toast';
import type { Failure, Plan, TaskDetail } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { PlanView } from './PlanView';
import { decidePlan, type Make } from './store';
import styles from './Tasks.module.css';
import { isDestructive, openSteps } from './words';

interface DryRunProps {
  make: Make;
  /** What the button that does it says. */
  verb: string;
  onDone(): void;
  /** Why what is shown can’t be done as a whole; null if it can. */
  refuses?(plan: Plan): string | null;
  children?: ReactNode;
}

/** Shows what a task would do, and does it on a yes: exactly what is shown, or it is shown anew. */
export function DryRun({ make, verb, onDone, refuses, children }: DryRunProps) {
  const { shown, failure } = useShown(make);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Failure | null>(null);
  const hash = shown?.plan?.hash ?? null;
  const settled = useSettled(hash);
  const open = shown?.plan ? openSteps(shown.plan) : [];
  const refused = (shown?.plan && refuses?.(shown.plan)) ?? null;
  const go = async () => {
    setBusy(true);
    try {
      await start(make, hash);
      onDone();
    } catch (error) {
      setProblem(failureOf(error));
    }
    setBusy(false);
  };
  return (
    <>
      {!shown && !failure && <Note>Preparing the preview…</Note>}
      {shown?.plan && <PlanView plan={shown.plan} whole />}
      {shown && <Sources of={shown} />}
      {[failure, problem].map((each) => each && <Problem key={each.message} failure={each} />)}
      {refused && <p className={styles.refused}>{refused}</p>}
      <div className={styles.buttons}>
        <Button
          look={isDestructive(open) ? 'danger' : 'primary'}
          disabled={busy || !settled || open.length === 0 || refused !== null}
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => void go()}
        >
          {open.length > 1 ? `${verb}: ${open.length} steps` : verb}
        </Button>
        {children}
      </div>
    </>
  );
}

/** What it would do, found out without doing anything. */
function useShown(make: Make) {
  const [shown, setShown] = useState<TaskDetail | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const first = useRef(make);
  useEffect(() => {
    first.current(true).then(setShown, (error: unknown) => setFailure(failureOf(error)));
  }, []);
  return { shown, failure };
}

/** Makes the task and says yes to it if its plan is the one that was shown; else the person looks again. */
async function start(make: Make, hash: string | null): Promise<void> {
  const { task, plan } = await make(false);
  openView({ kind: 'task', task: task.id });
  if (task.state !== 'awaiting_confirmation') return;
  if (plan && plan.hash === hash) {
    await decidePlan(task.id, 'approve', plan.hash);
    return;
  }
  toast('The preview is out of date. Review the plan again.');
}
