import { Body, Marks } from '../actions/ActionCard';
import { Answers } from '../actions/Answers';
import { type Card, cardOf } from '../actions/card';
import { originWords } from '../actions/origin';
import { Plain } from '../actions/Plain';
import { useAction, useParts } from '../actions/store';
import { untilWords } from '../actions/until';
import { openView } from '../frames/store';
import { OfClassOfCall } from '../scripts/OfClass';
import { useGoal } from '../tasks/known';
import { ago } from '../threads/list';
import { openThread } from '../threads/openThread';
import { useThreads } from '../threads/state';
import { Button } from '../ui/Button';
import { Fold } from '../ui/Fold';
import type { ActionId, ActionRecord } from '../wire/gen/types';
import styles from './NeedsYou.module.css';

/** One request: what, from whom, since when; opened, all that it would do and the answers. */
export function Item({ id, open, onToggle }: { id: ActionId; open: boolean; onToggle(): void }) {
  const record = useAction(id);
  return record ? <Known record={record} open={open} onToggle={onToggle} /> : null;
}

interface KnownProps {
  record: ActionRecord;
  open: boolean;
  onToggle(): void;
}

function Known({ record, open, onToggle }: KnownProps) {
  const card = cardOf(record, useParts(record));
  return (
    <li className={styles.item} data-action={record.envelope.id} data-open={open} data-tone={card.tone}>
      <Row card={card} record={record} open={open} onToggle={onToggle} />
      {open && (
        <div className={styles.body}>
          <InThread record={record} />
          <InRun record={record} />
          <Body record={record} whole />
          <Answers record={record} />
          <OfClassOfCall record={record} />
        </div>
      )}
    </li>
  );
}

function Row({ card, record, open, onToggle }: KnownProps & { card: Card }) {
  return (
    <Fold icon={card.icon} title={<Plain text={card.title} />} state={card.word} open={open} onToggle={onToggle}>
      <Marks record={record} />
      <span>{originWords(record.origin)}</span>
      <time dateTime={new Date(record.created).toISOString()} title={new Date(record.created).toLocaleString()}>
        {ageWords(record.created)}
      </time>
      {record.expires !== null && record.state === 'awaiting_confirmation' && (
        <span>{untilWords(record.expires, Date.now())}</span>
      )}
    </Fold>
  );
}

function ageWords(created: number): string {
  const age = ago(created, Date.now());
  return age === 'now' ? 'just now' : `${age} ago`;
}

function InThread({ record: { origin } }: { record: ActionRecord }) {
  const title = useThreads((state) => (origin.kind === 'turn' ? state.threads.get(origin.thread)?.title : undefined));
  if (origin.kind !== 'turn') return null;
  return (
    <p className={styles.thread}>
      Requested in{' '}
      <Button look="quiet" icon="chat" onClick={() => openThread(origin.thread, origin.turn)}>
        <Plain text={title || 'a thread'} />
      </Button>
    </p>
  );
}

/** The run of a script: one answer there covers all calls of a kind. */
function InRun({ record: { origin } }: { record: ActionRecord }) {
  const goal = useGoal(origin.kind === 'script' ? origin.task : null);
  if (origin.kind !== 'script') return null;
  return (
    <p className={styles.thread}>
      Requested by{' '}
      <Button look="quiet" icon="tasks" onClick={() => openView({ kind: 'task', task: origin.task })}>
        <Plain text={goal || 'a script'} />
      </Button>
    </p>
  );
}
