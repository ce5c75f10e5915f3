import { useEffect, useRef, useState } from 'react';
import { Plain } from '../actions/Plain';
import { openView } from '../frames/store';
import { costWords } from '../models/money';
import { openThread } from '../threads/openThread';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { toastFailure } from '../ui/Toast';
import type { Cost, Task } from '../wire/gen/types';
import { RunAgain } from './RunAgain';
import { SaveRecipe } from './SaveRecipe';
import { steer } from './store';
import styles from './Tasks.module.css';
import { UndoTask } from './UndoTask';
import { isOver, progressShare, progressWords, sourceWords, stateOf } from './words';

interface TaskHeadProps {
  task: Task;
  hasPlan: boolean;
  /** It runs a script, which is run again with its arguments and not call by call. */
  isScript: boolean;
  cost: Cost;
}

/** How a task stands, and what can be done with it as a whole. */
export function TaskHead({ task, hasPlan, isScript, cost }: TaskHeadProps) {
  return (
    <div className={styles.head}>
      <State task={task} cost={cost} />
      <Progress task={task} />
      <Controls task={task} again={!isScript && task.actions.length + (hasPlan ? 1 : 0) > 0} />
    </div>
  );
}

function State({ task, cost }: { task: Task; cost: Cost }) {
  const costs = costWords(cost);
  const { word, icon, tone } = stateOf(task);
  const { thread, undone_by } = task;
  const source = task.source.kind === 'again' || task.source.kind === 'undo' ? task.source.task : null;
  return (
    <p className={styles.meta}>
      <span className={styles.stateWord} data-tone={tone}>
        <Icon name={icon} /> {word}
      </span>
      <span>
        from {sourceWords(task.source)}, for <Plain text={task.by} />
      </span>
      <time dateTime={new Date(task.created).toISOString()}>{new Date(task.created).toLocaleString()}</time>
      {costs && <span title="Cost of model calls">{costs}</span>}
      {thread && (
        <Button look="quiet" icon="chat" onClick={() => openThread(thread, task.turns.at(-1))}>
          Open thread
        </Button>
      )}
      {source && <ToTask id={source} words="Open original task" />}
      {undone_by && <ToTask id={undone_by} words="Open undo task" />}
    </p>
  );
}

function ToTask({ id, words }: { id: string; words: string }) {
  return (
    <Button look="quiet" icon="tasks" onClick={() => openView({ kind: 'task', task: id })}>
      {words}
    </Button>
  );
}

function Progress({ task }: { task: Task }) {
  const share = progressShare(task);
  const words = progressWords(task);
  if (isOver(task) || words === '') return null;
  return (
    <p className={styles.progress}>
      {share !== null && <progress value={share} max={1} aria-label="Task progress" />}
      <span>{words}</span>
    </p>
  );
}

type Opened = 'again' | 'undo' | 'recipe' | null;

function Controls({ task, again }: { task: Task; again: boolean }) {
  const [opened, setOpened] = useState<Opened>(null);
  const [busy, setBusy] = useState(false);
  const say = async (what: 'pause' | 'resume' | 'cancel') => {
    setBusy(true);
    const failure = await steer(task.id, what);
    if (failure) toastFailure(failure);
    setBusy(false);
  };
  const over = isOver(task);
  const close = () => setOpened(null);
  return (
    <div className={styles.buttons}>
      {task.state === 'running' && !task.paused && (
        <Button icon="pause" disabled={busy} onClick={() => void say('pause')}>
          Pause
        </Button>
      )}
      {!over && task.paused && (
        <Button icon="play" look="primary" disabled={busy} onClick={() => void say('resume')}>
          Resume
        </Button>
      )}
      {!over && (
        <Button icon="stop" disabled={busy} onClick={() => void say('cancel')}>
          Cancel task
        </Button>
      )}
      {task.can_undo && !task.undone_by && (
        <Button icon="undo" onClick={() => setOpened('undo')}>
          Undo task…
        </Button>
      )}
      {over && again && (
        <Button icon="retry" onClick={() => setOpened('again')}>
          Run again…
        </Button>
      )}
      {task.state === 'completed' && task.actions.length > 0 && (
        <Button icon="plus" onClick={() => setOpened('recipe')}>
          Save as recipe…
        </Button>
      )}
      {opened === 'undo' && <UndoTask task={task} onClose={close} />}
      {opened === 'again' && <RunAgain task={task} onClose={close} />}
      {opened === 'recipe' && <SaveRecipe task={task} onClose={close} />}
    </div>
  );
}

/** Says aloud how a task stands when that changes; what was so when the page opened is not news. */
export function useSpoken(task: Task | undefined): void {
  const before = useRef<string | null>(null);
  const words = task ? stateOf(task).word : null;
  useEffect(() => {
    if (words === null) return;
    if (before.current !== null && before.current !== words) announce(`Task: ${words}`);
    before.current = words;
  }, [words]);
}
