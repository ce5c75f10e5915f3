import { memo, useEffect, useState, useSyncExternalStore } from 'react';
import { ActionCard } from '../../actions/ActionCard';
import { Answers } from '../../actions/Answers';
import { Plain } from '../../actions/Plain';
import { readAction, useAction } from '../../actions/store';
import { OpenAll } from '../../outputs/OpenAll';
import { Button } from '../../ui/Button';
import { Fold, FoldBody, type Tone } from '../../ui/Fold';
import type { IconName } from '../../ui/Icon';
import { TextBlock } from '../../ui/TextBlock';
import type { ActionId, ActionRecord } from '../../wire/gen/types';
import { select } from '../edits';
import { only } from '../selection';
import { useNotebook } from '../view';
import styles from './Ai.module.css';
import type { CallPart } from './answer';
import { argumentRows, callWords, cellIn, summaryOf } from './words';

interface AiCallProps {
  cellKey: string;
  call: CallPart;
  /** The answer goes on. */
  open: boolean;
}

/** What the model asked for: one line that opens; while it waits for a person, its card with what would change. */
export const AiCall = memo(
  function AiCall({ cellKey, call, open }: AiCallProps) {
    const record = useAction(call.action ?? NONE);
    const pending = open && call.status === 'pending' && call.action !== null;
    useEffect(() => {
      if (pending && call.action) void readAction(call.action);
    }, [pending, call.action]);
    if (pending && record?.state === 'awaiting_confirmation' && isOf(record, call)) {
      return <ActionCard id={record.envelope.id} />;
    }
    return <Folded cellKey={cellKey} call={call} open={open} />;
  },
  (before, after) => before.open === after.open && same(before.call, after.call),
);

/** A file may name any action: only that which the call became is shown with it. */
function isOf({ origin }: ActionRecord, call: CallPart): boolean {
  return origin.kind === 'turn' && origin.call === call.id;
}

/** No action has this id. */
const NONE = '' as ActionId;

/** The arguments are another object with every look at the outputs, and the same as long as the rest is. */
function same(one: CallPart, other: CallPart): boolean {
  return (
    one.at === other.at &&
    one.id === other.id &&
    one.name === other.name &&
    one.status === other.status &&
    one.action === other.action &&
    one.result === other.result
  );
}

function Folded({ cellKey, call, open }: AiCallProps) {
  const [opened, setOpened] = useState(false);
  const about = cellIn(call);
  const place = usePlace(about);
  const { icon, word, tone } = looks(call, open);
  const summary = summaryOf(call);
  return (
    <section className={styles.call} data-tone={tone} aria-label={`${call.name}: ${word}`}>
      <Fold
        icon={icon}
        title={<Plain text={callWords(call, () => place ?? 'a deleted cell')} />}
        state={word}
        open={opened}
        onToggle={() => setOpened(!opened)}
      >
        <code>
          <Plain text={call.name} />
        </code>
        {summary !== '' && (
          <code className={styles.summary}>
            <Plain text={summary} />
          </code>
        )}
      </Fold>
      {opened && <Details cellKey={cellKey} call={call} about={place === null ? null : about} />}
    </section>
  );
}

const LOOKS: Record<CallPart['status'], { icon: IconName; word: string; tone: Tone }> = {
  success: { icon: 'check', word: 'done', tone: 'ok' },
  error: { icon: 'error', word: 'failed', tone: 'err' },
  pending: { icon: 'spinner', word: 'running', tone: 'accent' },
};

/** What has no result when the answer is over did not happen. */
const looks = ({ status }: CallPart, open: boolean): (typeof LOOKS)['pending'] =>
  status === 'pending' && !open ? { icon: 'bar', word: 'not done', tone: 'quiet' } : LOOKS[status];

function Details({ cellKey, call, about }: { cellKey: string; call: CallPart; about: string | null }) {
  const view = useNotebook();
  const [whole, setWhole] = useState<string | null>(null);
  const result = whole ?? call.result;
  return (
    <FoldBody>
      <dl className={styles.arguments}>
        {argumentRows(call).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Plain text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {result !== null && (
        <>
          <p className={styles.what}>Result sent to the model</p>
          <TextBlock>
            <Plain text={result} />
          </TextBlock>
        </>
      )}
      {call.omitted > 0 && whole === null && call.resultAt !== null && (
        <OpenAll
          at={{ path: view.path, cell: cellKey, output: call.resultAt }}
          mime="text/plain"
          omitted={call.omitted}
          onRead={setWhole}
        />
      )}
      <div className={styles.row}>
        {about !== null && (
          <Button look="quiet" icon="link" onClick={() => select(view, only(about))}>
            Go to cell
          </Button>
        )}
        {call.action !== null && <TakeBack id={call.action} call={call} />}
      </div>
    </FoldBody>
  );
}

/** What can still be done about an action that is over. */
function TakeBack({ id, call }: { id: ActionId; call: CallPart }) {
  const record = useAction(id);
  useEffect(() => void readAction(id), [id]);
  return record && isOf(record, call) ? <Answers record={record} /> : null;
}

/** “cell 3”; null for one that is not there. */
function usePlace(cell: string | null): string | null {
  const { observed } = useNotebook();
  const at = useSyncExternalStore(observed.onOrder, () => (cell === null ? -1 : observed.keys().indexOf(cell)));
  return at < 0 ? null : `cell ${at + 1}`;
}
