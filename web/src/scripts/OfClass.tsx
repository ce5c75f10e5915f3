import { useState } from 'react';
import { accept, useActions } from '../actions/store';
import { useSettled } from '../actions/useSettled';
import { Button } from '../ui/Button';
import { Note } from '../ui/Note';
import type { ActionRecord, PendingCall } from '../wire/gen/types';
import { named } from './changes';
import styles from './ScriptRun.module.css';
import { useRun } from './useRun';

interface OfClassProps {
  pending: PendingCall;
  record: ActionRecord;
}

/** One answer for this call and the calls like it that come. */
export function OfClass({ pending, record }: OfClassProps) {
  const { action_type, id, coming } = pending;
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
        {coming && coming.calls > 1 && `The dry run showed ${named(coming.about, coming.calls)}. `}
        {pending.behind > 0 &&
          `${pending.behind} more ${pending.behind === 1 ? 'call waits' : 'calls wait'} behind it. `}
        Further calls with other risks, or after the script has read content from outside, ask again.
      </Note>
    </div>
  );
}

/** The same where only the call is known, as among all that waits. */
export function OfClassOfCall({ record }: { record: ActionRecord }) {
  const { origin, envelope, state } = record;
  const run = useRun(origin.kind === 'script' && state === 'awaiting_confirmation' ? origin.task : null);
  const pending = run?.pending;
  return pending && pending.id === envelope.id ? <OfClass pending={pending} record={record} /> : null;
}
