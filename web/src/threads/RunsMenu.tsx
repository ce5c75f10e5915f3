import { useFocus } from '../editor/focus';
import { Select } from '../ui/Field';
import type { RunMode, ThreadId } from '../wire/gen/types';
import styles from './ModeMenu.module.css';
import { chooseRuns } from './send';
import { useSending } from './sending';
import { useThreads } from './state';
import { RUNS } from './words';

/** Whether cells that the assistant wants to run are asked about; shown where there is a notebook to run them in. */
export function RunsMenu({ thread }: { thread: ThreadId | null }) {
  const next = useSending((state) => state.newRuns);
  const known = useThreads((state) => (thread ? state.threads.get(thread) : undefined));
  const beside = useFocus((state) => state.focus?.path);
  if (!/\.ipynb$/i.test(known?.document ?? beside ?? '')) return null;
  const runs = known ? (known.runs ?? 'ask') : next;
  return (
    <Select
      look="quiet"
      className={runs === 'auto' ? styles.auto : undefined}
      aria-label="How cells are run"
      title={RUNS.find((each) => each.runs === runs)?.meaning}
      value={runs}
      onChange={(event) => chooseRuns(event.target.value as RunMode)}
    >
      {RUNS.map((each) => (
        <option key={each.runs} value={each.runs}>
          {each.label}
        </option>
      ))}
    </Select>
  );
}
