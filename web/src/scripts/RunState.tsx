import { stateOf } from '../tasks/words';
import { Icon } from '../ui/Icon';
import styles from './ScriptBar.module.css';
import type { ScriptTask } from './scriptTask';
import { showRun } from './store';

/** How the last run stands: leads to it. */
export function RunState({ detail }: { detail: ScriptTask }) {
  const { task, script } = detail;
  const { word, icon, tone } = stateOf(task);
  const calls = script.calls_done ?? 0;
  return (
    <button
      type="button"
      className={styles.state}
      data-tone={tone}
      title="Show the run"
      onClick={() => showRun(task.id)}
    >
      <Icon name={icon} size={14} />
      <span className={tone === 'warn' || tone === 'err' ? undefined : styles.seldom}>
        {script.dry_run ? 'Dry run' : 'Run'} {word}
        {calls > 0 && task.state === 'running' && `, ${calls} ${calls === 1 ? 'call' : 'calls'}`}
      </span>
    </button>
  );
}
