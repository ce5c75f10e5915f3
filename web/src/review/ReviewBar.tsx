import { useShallow } from 'zustand/react/shallow';
import { useActions } from '../actions/store';
import { openView } from '../frames/store';
import { usePlans, type WaitingPlan } from '../tasks/plans';
import { useThreads } from '../threads/state';
import { modelName } from '../threads/words';
import { announce } from '../ui/Announcer';
import { Button, IconButton } from '../ui/Button';
import type { ActionRecord, ModelRef, ThreadId, WorkspacePath } from '../wire/gen/types';
import { type OpenHunk, openHunks, reviewSummary } from './hunks';
import styles from './ReviewBar.module.css';
import { reviewerOf } from './store';

/** Over an editor with proposed changes: how many, whose, and answers to all of them. */
export function ReviewBar({ path }: { path: WorkspacePath }) {
  const { count, shown, deciding, awaiting, plans } = useOpen(path);
  const models = useModelsOf(awaiting, plans);
  if (shown === 0) return null;
  const go = (step: 1 | -1) => {
    const words = reviewerOf(path)?.goTo(step);
    if (words) announce(words);
  };
  return (
    <section className={styles.bar} aria-label="Review">
      <span className={styles.words}>
        {count === 0 ? 'All changes reviewed.' : reviewSummary(count, models.map(modelName))}
      </span>
      <span className={styles.buttons}>
        <IconButton icon="chevronUp" label="Previous change (Alt-[)" onClick={() => go(-1)} />
        <IconButton icon="chevronDown" label="Next change (Alt-])" onClick={() => go(1)} />
        {plans.map(({ task }) => (
          <Button key={task.id} icon="tasks" onClick={() => openView({ kind: 'task', task: task.id })}>
            Open plan
          </Button>
        ))}
        <Button disabled={deciding || count === 0} onClick={() => void reviewerOf(path)?.decideAll('reject')}>
          Reject all
        </Button>
        <Button
          look="primary"
          disabled={deciding || count === 0}
          onClick={() => void reviewerOf(path)?.decideAll('accept')}
        >
          Accept all
        </Button>
      </span>
    </section>
  );
}

/** The open changes of a file, as values that are equal when nothing has changed. */
function useOpen(path: WorkspacePath) {
  const ofActions = useActions(
    useShallow(({ records, deciding }) => {
      const ids = idsOf(openHunks(records.values(), [], path));
      return { deciding: ids.some((id) => deciding.has(id)), ids: ids.join(' '), count: openCount(records, path) };
    }),
  );
  const ofPlans = usePlans(
    useShallow(({ plans, answering }) => {
      const open = openHunks([], plans.values(), path);
      const ids = idsOf(open);
      const count = open.filter(({ accepted }) => !accepted).length;
      return { deciding: ids.some((id) => answering.has(id)), ids: ids.join(' '), count, shown: open.length };
    }),
  );
  const { records } = useActions.getState();
  const known = usePlans.getState().plans;
  return {
    count: ofActions.count + ofPlans.count,
    shown: ofActions.count + ofPlans.shown,
    deciding: ofActions.deciding || ofPlans.deciding,
    awaiting: ofActions.ids.split(' ').flatMap((id) => records.get(id) ?? []),
    plans: ofPlans.ids.split(' ').flatMap((id) => known.get(id) ?? []),
  };
}

function openCount(records: ReadonlyMap<string, ActionRecord>, path: WorkspacePath): number {
  return openHunks(records.values(), [], path).length;
}

/** The actions or the tasks of some changes. */
function idsOf(open: readonly OpenHunk[]): string[] {
  return [...new Set(open.map(({ of }) => (of.kind === 'action' ? of.action : of.task)))];
}

function useModelsOf(awaiting: readonly ActionRecord[], plans: readonly WaitingPlan[]): ModelRef[] {
  return useThreads(
    useShallow((state) => [
      ...awaiting.flatMap((record) => modelOf(state, record) ?? []),
      ...plans.flatMap(({ task }) => modelOfThread(state, task.thread) ?? []),
    ]),
  );
}

function modelOfThread({ threads }: ReturnType<typeof useThreads.getState>, thread: ThreadId | null): ModelRef | null {
  return (thread && threads.get(thread)?.model) || null;
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
