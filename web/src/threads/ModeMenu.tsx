import { Select } from '../ui/Field';
import type { ReviewMode, ThreadId } from '../wire/gen/types';
import styles from './ModeMenu.module.css';
import { chooseMode } from './send';
import { useSending } from './sending';
import { useThreads } from './state';
import { MODES } from './words';

/** How edits reach the document, in words. */
export function ModeMenu({ thread }: { thread: ThreadId | null }) {
  const mode = useMode(thread);
  const meaning = MODES.find((each) => each.mode === mode)?.meaning;
  return (
    <Select
      look="quiet"
      className={mode === 'auto_apply' ? styles.auto : undefined}
      aria-label="Review mode"
      title={meaning}
      value={mode}
      onChange={(event) => chooseMode(event.target.value as ReviewMode)}
    >
      {MODES.map((each) => (
        <option key={each.mode} value={each.mode}>
          {each.label}
        </option>
      ))}
    </Select>
  );
}

/** Says so for as long as edits are made without being looked at. */
export function AutoApplyBanner({ thread }: { thread: ThreadId | null }) {
  const hint = useThreads((state) => (thread ? state.threads.get(thread)?.hint : false));
  if (useMode(thread) !== 'auto_apply' || hint) return null;
  return (
    <div className={styles.banner} role="status">
      <span>Auto-apply is on: edits in this thread apply without asking. You can undo each one.</span>
      <button type="button" onClick={() => chooseMode('review_each')}>
        Review each
      </button>
    </div>
  );
}

function useMode(thread: ThreadId | null): ReviewMode {
  const newMode = useSending((state) => state.newMode);
  const known = useThreads((state) => (thread ? state.threads.get(thread)?.mode : undefined));
  return known ?? newMode;
}
