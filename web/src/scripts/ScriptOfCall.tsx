import { lazy, Suspense, useEffect } from 'react';
import { Plain } from '../actions/Plain';
import { learn, useAction } from '../actions/store';
import { openView } from '../frames/store';
import { useTaskOfAction } from '../tasks/known';
import { steer } from '../tasks/store';
import { isOver, stateOf } from '../tasks/words';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { TextBlock } from '../ui/TextBlock';
import { toastFailure } from '../ui/Toast';
import type { ActionId, ActionRecord, TaskId } from '../wire/gen/types';
import styles from './ScriptOfCall.module.css';
import { isScriptTask, type ScriptTask } from './scriptTask';
import { useRun } from './useRun';

const ScriptRun = lazy(() => import('./ScriptRun'));

/** The run of a script that a model started: its changes and its question first, the script folded below. */
export function ScriptOfCall({ action }: { action: ActionId }) {
  const record = useAction(action);
  const known = useTaskOfAction(action);
  if (record?.envelope.action_type !== 'script.run') return null;
  const task = known ?? startedBy(record);
  return task && <Run task={task} source={sourceOf(record)} />;
}

function Run({ task, source }: { task: TaskId; source: string }) {
  const detail = useRun(task);
  useEffect(() => {
    if (detail) learn(...detail.actions);
  }, [detail]);
  if (!detail || !isScriptTask(detail)) return null;
  return (
    <article className={styles.script} aria-label="Script">
      <State detail={detail} />
      <Suspense fallback={null}>
        <ScriptRun detail={detail} />
      </Suspense>
      {source !== '' && (
        <details className={styles.source}>
          <summary>{counted(source.trimEnd().split('\n').length)}</summary>
          <TextBlock aria-label="Script">
            <Plain text={source} />
          </TextBlock>
        </details>
      )}
      <div className={styles.buttons}>
        {!isOver(detail.task) && detail.task.paused && (
          <Button icon="play" look="primary" onClick={() => void resume(task)}>
            Resume
          </Button>
        )}
        <Button look="quiet" icon="tasks" onClick={() => openView({ kind: 'task', task })}>
          Open run
        </Button>
      </div>
    </article>
  );
}

/** How it stands; for a pause, why. */
function State({ detail }: { detail: ScriptTask }) {
  const { task, timeline, script } = detail;
  const { word, icon, tone } = stateOf(task);
  const why = task.paused ? timeline.findLast(({ step, action }) => step === null && action === null)?.text : null;
  return (
    <p className={styles.state} data-tone={tone}>
      <Icon name={icon} size={14} />
      <span>
        {script.dry_run ? 'Dry run' : 'Run'} {word}
      </span>
      {why && (
        <span className={styles.why}>
          <Plain text={why} />
        </span>
      )}
    </p>
  );
}

async function resume(task: TaskId): Promise<void> {
  const failure = await steer(task, 'resume');
  if (failure) toastFailure(failure);
}

function startedBy({ outcome }: ActionRecord): TaskId | null {
  if (outcome?.kind !== 'done') return null;
  return (outcome.observation.data as { task?: TaskId } | null)?.task ?? null;
}

function sourceOf({ envelope }: ActionRecord): string {
  const { source } = envelope.args as { source?: unknown };
  return typeof source === 'string' ? source : '';
}

function counted(lines: number): string {
  return lines === 1 ? 'Script of 1 line' : `Script of ${lines} lines`;
}
