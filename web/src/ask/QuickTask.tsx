import { useEffect, useState } from 'react';
import { ActionCard } from '../actions/ActionCard';
import { Plain } from '../actions/Plain';
import { Sources } from '../actions/Sources';
import { learn } from '../actions/store';
import { linkTo } from '../app/history';
import { openView } from '../frames/store';
import { Decide } from '../tasks/Decide';
import { startTasks, taskPath } from '../tasks/following';
import { PlanView } from '../tasks/PlanView';
import { followPlans } from '../tasks/plans';
import { decidePlan, steer } from '../tasks/store';
import { useSpoken } from '../tasks/TaskHead';
import { UndoTask } from '../tasks/UndoTask';
import { isOver, progressShare, progressWords, stateOf } from '../tasks/words';
import { Button } from '../ui/Button';
import { CopyButton } from '../ui/CopyText';
import { Icon } from '../ui/Icon';
import { ReadState } from '../ui/ReadState';
import { sentence } from '../ui/sentence';
import { toastFailure } from '../ui/Toast';
import type { Task, TaskDetail, TaskId } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { OpenAsThread } from './OpenAsThread';
import styles from './QuickPanel.module.css';
import { showQuick } from './quick';
import { seedOfTask } from './seed';

/** A plan of the understood actions: its preview and the answers, then its progress, its result and the way back. */
export function QuickTask({ id }: { id: TaskId }) {
  const { data, failure, loading, reload } = useResource<TaskDetail>(taskPath(id));
  useEffect(() => {
    startTasks();
    followPlans();
  }, []);
  useEffect(() => {
    if (data) learn(...data.actions);
  }, [data]);
  useSpoken(data?.task);
  if (!data) return <ReadState shown={false} loading={loading} failure={failure} onAgain={reload} />;
  const { task, plan } = data;
  const waits = task.state === 'awaiting_confirmation' && plan !== null;
  return (
    <>
      <ReadState shown loading={loading} failure={failure} onAgain={reload} />
      <State task={task} />
      {plan && <Steps detail={data} waits={waits} />}
      {task.summary && !waits && (
        <p className={styles.summary}>
          <Plain text={sentence(task.summary)} />
        </p>
      )}
      {waits && <Decide task={task.id} plan={plan} />}
      <Foot detail={data} />
    </>
  );
}

/** How it stands, and step i of n while it runs. */
function State({ task }: { task: Task }) {
  const { word, icon, tone } = stateOf(task);
  const words = progressWords(task);
  const share = progressShare(task);
  const several = (task.progress.of ?? 0) > 1;
  return (
    <p className={styles.state} data-tone={tone}>
      <Icon name={icon} /> {word}
      {several && words !== '' && <span className={styles.meta}>{words}</span>}
      {several && task.state === 'running' && share !== null && (
        <progress value={share} max={1} aria-label="Task progress" />
      )}
    </p>
  );
}

/** A single step that has run is its card; else the steps in order. */
function Steps({ detail, waits }: { detail: TaskDetail; waits: boolean }) {
  const { plan, task } = detail;
  const [only, ...others] = plan?.steps ?? [];
  if (!plan || !only) return null;
  if (only.action && others.length === 0) return <ActionCard id={only.action} />;
  return (
    <>
      <PlanView
        plan={plan}
        whole={waits}
        task={waits ? task.id : undefined}
        onLeaveOut={
          waits && others.length > 0
            ? (step) => void decidePlan(task.id, 'reject', plan.hash, { steps: [step] })
            : undefined
        }
      />
      <Sources of={detail} />
    </>
  );
}

function Foot({ detail }: { detail: TaskDetail }) {
  const { task, plan } = detail;
  const [undoes, setUndoes] = useState(false);
  const say = async (what: 'pause' | 'resume' | 'cancel') => {
    const failure = await steer(task.id, what);
    if (failure) toastFailure(failure);
  };
  const several = (plan?.steps.length ?? 0) > 1;
  return (
    <div className={styles.foot}>
      {task.state === 'running' && !task.paused && several && (
        <Button icon="pause" onClick={() => void say('pause')}>
          Pause
        </Button>
      )}
      {!isOver(task) && task.paused && (
        <Button icon="play" look="primary" onClick={() => void say('resume')}>
          Resume
        </Button>
      )}
      {task.state === 'running' && (
        <Button icon="stop" onClick={() => void say('cancel')}>
          Stop
        </Button>
      )}
      {several && task.can_undo && !task.undone_by && (
        <Button icon="undo" onClick={() => setUndoes(true)}>
          Undo all…
        </Button>
      )}
      <span className={styles.gap} />
      <CopyButton text={linkTo({ kind: 'task', task: task.id })} what="link to this task" shown="Copy link" />
      <Button
        look="quiet"
        icon="tasks"
        onClick={() => {
          showQuick(null);
          openView({ kind: 'task', task: task.id });
        }}
      >
        Open task
      </Button>
      <OpenAsThread seed={() => seedOfTask(detail)} />
      {undoes && <UndoTask task={task} onClose={() => setUndoes(false)} />}
    </div>
  );
}
