import { useShallow } from 'zustand/react/shallow';
import { useActions } from '../actions/store';
import { useThreads } from '../threads/state';
import { modelName } from '../threads/words';
import { announce } from '../ui/Announcer';
import { Button, IconButton } from '../ui/Button';
import type { ActionRecord, ModelRef, WorkspacePath } from '../wire/gen/types';
import { openHunks, reviewSummary } from './hunks';
import styles from './ReviewBar.module.css';
import { reviewerOf } from './store';

/** Over an editor with proposed changes: how many, whose, and answers to all of them. */
export function ReviewBar({ path }: { path: WorkspacePath }) {
  const { count, deciding, awaiting } = useOpen(path);
  const models = useModelsOf(awaiting);
  if (count === 0) return null;
  const go = (step: 1 | -1) => {
    const words = reviewerOf(path)?.goTo(step);
    if (words) announce(words);
  };
  return (
    <section className={styles.bar} aria-label="Review">
      <span className={styles.words}>{reviewSummary(count, models.map(modelName))}</span>
      <span className={styles.buttons}>
        <IconButton icon="chevronUp" label="Previous change (Alt-[)" onClick={() => go(-1)} />
        <IconButton icon="chevronDown" label="Next change (Alt-])" onClick={() => go(1)} />
        <Button disabled={deciding} onClick={() => void reviewerOf(path)?.decideAll('reject')}>
          Reject all
        </Button>
        <Button look="primary" disabled={deciding} onClick={() => void reviewerOf(path)?.decideAll('accept')}>
          Accept all
        </Button>
      </span>
    </section>
  );
}

/** The open changes of a file, as values that are equal when nothing has changed. */
function useOpen(path: WorkspacePath) {
  const counts = useActions(
    useShallow(({ records, deciding }) => {
      const open = openHunks(records.values(), path);
      const ids = [...new Set(open.map((hunk) => hunk.action))];
      return { count: open.length, deciding: ids.some((id) => deciding.has(id)), ids: ids.join(' ') };
    }),
  );
  const records = useActions.getState().records;
  const awaiting = counts.ids.split(' ').flatMap((id) => records.get(id) ?? []);
  return { ...counts, awaiting };
}

function useModelsOf(awaiting: readonly ActionRecord[]): ModelRef[] {
  return useThreads(useShallow((state) => awaiting.flatMap((record) => modelOf(state, record) ?? [])));
}

/** The model of the turn that asked, as far as its thread is known. */
function modelOf(
  { views, threads }: ReturnType<typeof useThreads.getState>,
  { origin }: ActionRecord,
): ModelRef | null {
  if (origin.kind !== 'turn') return null;
  const turn = views.get(origin.thread)?.turns.find((each) => each.id === origin.turn);
  return turn?.model ?? threads.get(origin.thread)?.model ?? null;
}
