import { useEffect, useState } from 'react';
import { ActionCard } from '../actions/ActionCard';
import { accept, readAction, useAction, useActions } from '../actions/store';
import { useSettled } from '../actions/useSettled';
import { Button } from '../ui/Button';
import { Note } from '../ui/Note';
import type { ActionRecord, PendingCall, ScriptChange } from '../wire/gen/types';
import { named, stillToCome } from './changes';
import styles from './ScriptRun.module.css';
import type { ScriptTask } from './scriptTask';
import { shownChanges } from './store';

/** The call that waits: its card, and beside the answer for it alone one for all of its kind. */
export function ConfirmCall({ task, pending }: { task: ScriptTask; pending: PendingCall }) {
  const record = useAction(pending.id);
  useEffect(() => {
    if (!record) void readAction(pending.id);
  }, [record, pending.id]);
  if (!record) return null;
  return (
    <section className={styles.part} aria-label="Waiting for you">
      <h3>The script waits for you</h3>
      <ActionCard id={pending.id}>
        {record.state === 'awaiting_confirmation' && <OfClass task={task} pending={pending} record={record} />}
      </ActionCard>
    </section>
  );
}

interface OfClassProps {
  task: ScriptTask;
  pending: PendingCall;
  record: ActionRecord;
}

/** One answer for this call and the calls like it that come. */
function OfClass({ task, pending, record }: OfClassProps) {
  const { action_type, id } = pending;
  const coming = useComing(task, pending);
  const deciding = useActions((state) => state.deciding.has(id));
  const settled = useSettled(record.approval_hash);
  // What destroys is pressed twice, as on the card.
  const [sureOf, setSureOf] = useState<string | null>(null);
  const sure = sureOf !== null && sureOf === record.approval_hash;
  const destructive = record.envelope.risk_level.includes('destructive');
  const words = coming && coming.calls > 1 ? `Accept all ${coming.calls} ×` : 'Accept all';
  return (
    <div className={styles.ofClass}>
      <Button
        look={destructive ? 'danger' : 'plain'}
        disabled={deciding || !settled}
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        onClick={() => (destructive && !sure ? setSureOf(record.approval_hash) : void accept(id, { scope: 'class' }))}
      >
        {sure ? `Really ${words.toLowerCase()}` : words} <code>{action_type}</code> in this run
      </Button>
      <Note>
        {coming && coming.calls > 1 && `The dry run showed ${named(coming.about)}. `}
        {pending.behind > 0 &&
          `${pending.behind} more ${pending.behind === 1 ? 'call waits' : 'calls wait'} behind it. `}
        Further calls with other risks, or after the script has read content from outside, ask again.
      </Note>
    </div>
  );
}

/** The calls of its kind that the last dry run of this script showed and that are still to be made; null without one. */
function useComing(task: ScriptTask, { action_type }: PendingCall) {
  const [shown, setShown] = useState<readonly ScriptChange[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: neither the script nor the input of a run changes.
  useEffect(() => {
    void shownChanges(task.script).then(setShown);
  }, [task.task.id]);
  const made = task.actions.filter(
    ({ envelope, state }) => envelope.action_type === action_type && state === 'done',
  ).length;
  return shown.length === 0 ? null : stillToCome(shown, action_type, made);
}
