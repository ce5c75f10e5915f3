import { lazy, Suspense, useEffect, useRef } from 'react';
import { Plain } from '../actions/Plain';
import { Sources } from '../actions/Sources';
import { learn } from '../actions/store';
import { startActions } from '../actions/sync';
import type { PaneProps } from '../frames/panes';
import { openView } from '../frames/store';
import { useArrival } from '../frames/useArrival';
import { isScriptTask } from '../scripts/scriptTask';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { Page } from '../ui/Page';
import { ReadState } from '../ui/ReadState';
import { sentence } from '../ui/sentence';
import type { TaskDetail } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { DebugView } from './DebugView';
import { Decide } from './Decide';
import { startTasks, taskPath } from './following';
import { learnTasks } from './known';
import { PlanView } from './PlanView';
import { followPlans } from './plans';
import { decidePlan } from './store';
import { TaskHead, useSpoken } from './TaskHead';
import styles from './Tasks.module.css';
import { Timeline } from './Timeline';

const ScriptRun = lazy(() => import('../scripts/ScriptRun'));

/** One task: what it is for, its plan and the answers to it, what happened, and what can be done with it. */
export default function TaskPage({ view, tab }: PaneProps) {
  const id = view.kind === 'task' ? view.task : '';
  const { data, failure, loading, reload } = useResource<TaskDetail>(taskPath(id));
  const page = useRef<HTMLDivElement>(null);
  useArrival(tab, () => page.current?.querySelector('h2'));
  useEffect(() => {
    startActions();
    startTasks();
    followPlans();
  }, []);
  useEffect(() => {
    if (!data) return;
    learn(...data.actions);
    learnTasks(data.task);
  }, [data]);
  useSpoken(data?.task);
  if (!data) {
    return failure ? (
      <Notice icon="error" title="Couldn’t load the task">
        <p>{sentence(failure.message)}</p>
        <Button onClick={reload}>Retry</Button>
        <Button onClick={() => openView({ kind: 'tasks' })}>All tasks</Button>
      </Notice>
    ) : (
      <p className={styles.loading}>Loading…</p>
    );
  }
  const { task, plan, timeline, cost } = data;
  const waits = task.state === 'awaiting_confirmation' && plan !== null;
  return (
    <Page ref={page} title={<Plain text={task.goal} />}>
      <ReadState shown loading={loading} failure={failure} onAgain={reload} />
      <TaskHead task={task} hasPlan={plan !== null} isScript={isScriptTask(data)} cost={cost} />
      {task.summary && (
        <p className={styles.summary}>
          <Plain text={sentence(task.summary)} />
        </p>
      )}
      {plan && (
        <section className={styles.part} aria-labelledby={`plan-${id}`}>
          <h3 id={`plan-${id}`}>Plan</h3>
          <PlanView
            plan={plan}
            whole={waits}
            task={waits ? task.id : undefined}
            onLeaveOut={waits ? (step) => void decidePlan(task.id, 'reject', plan.hash, { steps: [step] }) : undefined}
          />
          <Sources of={data} />
          {waits && <Decide task={task.id} plan={plan} />}
        </section>
      )}
      {isScriptTask(data) && (
        <Suspense fallback={null}>
          <ScriptRun detail={data} />
        </Suspense>
      )}
      <section className={styles.part} aria-labelledby={`timeline-${id}`}>
        <h3 id={`timeline-${id}`}>Timeline</h3>
        <Timeline entries={timeline} />
      </section>
      <DebugView detail={data} />
    </Page>
  );
}
