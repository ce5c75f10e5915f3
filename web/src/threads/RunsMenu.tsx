import { useFocus } from '../editor/focus';
import { Select } from '../ui/Field';
import type { ThreadId } from '../wire/gen/types';
import styles from './ModeMenu.module.css';
import { chooseRuns } from './send';
import { useSending } from './sending';
import { useThreads } from './state';
import { RUNS, type Runs, runOnWords } from './words';

/** Whether cells that the assistant wants to run are asked about; shown where there is a notebook to run them in. */
export function RunsMenu({ thread }: { thread: ThreadId | null }) {
  const notebook = useNotebook(thread);
  const { runs } = useRuns(thread);
  if (!notebook) return null;
  return (
    <Select
      look="quiet"
      className={runs === 'auto' || runs === 'after_outputs' ? styles.auto : undefined}
      aria-label="Cell run mode"
      title={RUNS.find((each) => each.runs === runs)?.meaning}
      value={runs}
      onChange={(event) => chooseRuns(event.target.value as Runs, notebook)}
    >
      {RUNS.map((each) => (
        <option key={each.runs} value={each.runs}>
          {each.label}
        </option>
      ))}
    </Select>
  );
}

/** Says so for as long as what cells put out can lead to the next run, of which notebook, and takes it back. */
export function RunOnBanner({ thread }: { thread: ThreadId | null }) {
  const beside = useNotebook(thread);
  const { runs, notebook = beside, otherwise } = useRuns(thread);
  if (runs !== 'after_outputs' || !notebook) return null;
  return (
    <div className={styles.banner} role="status">
      <span>{runOnWords(notebook)}</span>
      <button type="button" onClick={() => chooseRuns(otherwise, notebook)}>
        Ask after output
      </button>
    </div>
  );
}

/** The notebook that a thread is beside, or would be. */
function useNotebook(thread: ThreadId | null): string | null {
  const document = useThreads((state) => (thread ? state.threads.get(thread)?.document : undefined));
  const focus = useFocus((state) => state.focus?.path);
  const beside = document ?? focus ?? '';
  return /\.ipynb$/i.test(beside) ? beside : null;
}

function useRuns(thread: ThreadId | null): { runs: Runs; notebook?: string; otherwise: Runs } {
  const next = useSending((state) => state.newRuns);
  const known = useThreads((state) => (thread ? state.threads.get(thread) : undefined));
  const otherwise = known?.runs ?? 'auto';
  if (!known) return { runs: next, otherwise };
  const notebook = known.runs_after_outputs;
  return notebook ? { runs: 'after_outputs', notebook, otherwise } : { runs: known.runs ?? 'ask', otherwise };
}
