import { lazy, Suspense, useState } from 'react';
import { Warnings } from '../actions/Warnings';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import type { ActionRecord } from '../wire/gen/types';
import type { Asked } from './actionFlow';
import styles from './ConfirmDialog.module.css';

const PreviewBody = lazy(async () => ({ default: (await import('../actions/ActionCard')).PreviewBody }));

/** Shows what a button's action would do, before the person says yes or no. */
export function ConfirmDialog({ asked: { record, answer } }: { asked: Asked }) {
  return <Question key={record.approval_hash} record={record} answer={answer} />;
}

function Question({ record, answer }: { record: ActionRecord; answer(approved: boolean): void }) {
  const [answered, setAnswered] = useState(false);
  const { preview, envelope } = record;
  const destructive = envelope.risk_level.includes('destructive');
  const decide = (approved: boolean) => {
    setAnswered(true);
    answer(approved);
  };
  return (
    <Dialog
      title={preview?.summary ?? envelope.action_type}
      onClose={() => decide(false)}
      footer={
        <>
          <Button data-intent="reject" onClick={() => decide(false)} disabled={answered} data-first-focus>
            Cancel
          </Button>
          <Button
            data-intent="accept"
            look={destructive ? 'danger' : 'primary'}
            onClick={() => decide(true)}
            disabled={answered}
          >
            {destructive ? 'Yes, do it' : 'Confirm'}
          </Button>
        </>
      }
    >
      <div className={styles.question}>
        <Warnings preview={preview} />
        <Suspense fallback={null}>{preview && <PreviewBody record={record} preview={preview} />}</Suspense>
        <p className={styles.note}>{record.verdict.reason}</p>
      </div>
    </Dialog>
  );
}
