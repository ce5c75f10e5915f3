import { useMemo, useState } from 'react';
import { Marks, PreviewBody } from '../actions/ActionCard';
import { cardOf } from '../actions/card';
import { originWords } from '../actions/origin';
import { Plain } from '../actions/Plain';
import { acceptTogether, useActions } from '../actions/store';
import { useSettled } from '../actions/useSettled';
import { Warnings } from '../actions/Warnings';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { toast } from '../ui/Toast';
import type { ActionRecord } from '../wire/gen/types';
import { bind, type CallClass, classesOf, stillAsShown } from './classes';
import styles from './NeedsYou.module.css';

/** Offers to answer several calls of one class in one go. */
export function Batches({ waiting }: { waiting: readonly ActionRecord[] }) {
  const [open, setOpen] = useState<CallClass | null>(null);
  const classes = classesOf(waiting);
  return (
    <>
      {classes.length > 0 && (
        <ul className={styles.batches} aria-label="Similar actions">
          {classes.map((each) => (
            <li key={each.key}>
              <Button onClick={() => setOpen(each)}>
                Confirm {each.records.length} × <code>{each.actionType}</code> together…
              </Button>
            </li>
          ))}
        </ul>
      )}
      {open && <BatchDialog call={open} onClose={() => setOpen(null)} />}
    </>
  );
}

/** All that is confirmed, each bound to what stands here; what changes meanwhile is left out. */
function BatchDialog({ call, onClose }: { call: CallClass; onClose(): void }) {
  const bound = useMemo(() => bind(call.records), [call]);
  const records = useActions((state) => state.records);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const settled = useSettled(call.key);
  const chosen = bound.filter((each) => !left.has(each.id) && stillAsShown(each, records.get(each.id)));
  const toggle = (id: string) => setLeft((before) => (before.has(id) ? without(before, id) : new Set(before).add(id)));
  const confirm = async () => {
    setBusy(true);
    const done = await acceptTogether(chosen);
    onClose();
    toast(
      done === chosen.length
        ? `${done} confirmed`
        : `${done} of ${chosen.length} confirmed; the others are still waiting`,
    );
  };
  return (
    <Dialog
      title={`Confirm ${bound.length} × ${call.actionType}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={busy} data-first-focus>
            Cancel
          </Button>
          <Button
            look={isDestructive(call) ? 'danger' : 'primary'}
            disabled={busy || !settled || chosen.length === 0}
            onKeyDown={(event) => event.repeat && event.preventDefault()}
            onClick={() => void confirm()}
          >
            {isDestructive(call) ? 'Yes, do' : 'Confirm'} {chosen.length === bound.length ? 'all' : 'these'}{' '}
            {chosen.length}
          </Button>
        </>
      }
    >
      <p className={styles.note}>
        Each action keeps its own record and undo. All need approval because of <code>{call.rule}</code>.
      </p>
      <ul className={styles.bound}>
        {call.records.map((record) => (
          <BoundItem
            key={record.envelope.id}
            record={record}
            asShown={bound.some((each) => each.id === record.envelope.id && stillAsShown(each, records.get(each.id)))}
            chosen={!left.has(record.envelope.id)}
            onToggle={() => toggle(record.envelope.id)}
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface BoundProps {
  record: ActionRecord;
  asShown: boolean;
  chosen: boolean;
  onToggle(): void;
}

function BoundItem({ record, asShown, chosen, onToggle }: BoundProps) {
  const { title } = cardOf(record);
  return (
    <li className={styles.one}>
      <label className={styles.choice}>
        <input type="checkbox" checked={chosen && asShown} disabled={!asShown} onChange={onToggle} />
        <span className={styles.title}>
          <Plain text={title} />
        </span>
        <span className={styles.meta}>
          <Marks record={record} />
          <span>{originWords(record.origin)}</span>
        </span>
      </label>
      {!asShown && <p className={styles.changed}>Not included: already answered or changed.</p>}
      <Warnings preview={record.preview} />
      {record.preview && <PreviewBody record={record} preview={record.preview} whole />}
    </li>
  );
}

function isDestructive(call: CallClass): boolean {
  return call.records.some((record) => record.envelope.risk_level.includes('destructive'));
}

function without(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...set].filter((each) => each !== id));
}
