import { type ReactNode, useEffect, useState } from 'react';
import { Body } from '../actions/ActionCard';
import { Answers } from '../actions/Answers';
import { originWords } from '../actions/origin';
import { Plain } from '../actions/Plain';
import { Raw } from '../actions/Raw';
import { layerWords } from '../actions/rule';
import { LABELS } from '../actions/Sources';
import { readWithParts, useAction } from '../actions/store';
import { openThread } from '../threads/openThread';
import { Button } from '../ui/Button';
import { CopyText } from '../ui/CopyText';
import { TextBlock } from '../ui/TextBlock';
import type { ActionRecord, AuditRecord, Descriptor } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './Audit.module.css';
import type { Entry } from './entry';
import { whyNoUndo } from './words';

/** What was shown, what came of it, who or what let it pass, its hashes, and the way back. */
export function Opened({ entry }: { entry: Entry }) {
  const id = entry.body.action;
  const record = useAction(id);
  const [read, setRead] = useState(false);
  useEffect(() => {
    void readWithParts(id).then(() => setRead(true));
  }, [id]);
  return (
    <div className={styles.opened}>
      {record && <Whole record={record} />}
      {!record && read && <Rest record={entry.body} />}
      <Facts entry={entry} />
      <div className={styles.debug}>
        <Raw name="Hashed log entry" value={{ seq: entry.seq, body: entry.body, hash: entry.hash }} />
      </div>
    </div>
  );
}

function Whole({ record }: { record: ActionRecord }) {
  const descriptor = useResource<Descriptor[]>('catalog').data?.find(
    (each) => each.name === record.envelope.action_type,
  );
  const why = whyNoUndo(record, descriptor);
  return (
    <>
      {record.preview && (
        <p className={styles.summary}>
          <Plain text={record.preview.summary} />
        </p>
      )}
      <Body record={record} />
      <Answers record={record} />
      {why && <p className={styles.why}>{why}</p>}
    </>
  );
}

/** The action itself is no longer kept; the audit still knows what came of it. */
function Rest({ record }: { record: AuditRecord }) {
  return (
    <>
      <p className={styles.why}>The preview is no longer stored. The log keeps this entry.</p>
      {record.outcome && <Came text={record.outcome.text} />}
    </>
  );
}

function Came({ text }: { text: string }) {
  return (
    <TextBlock>
      <Plain text={text} />
    </TextBlock>
  );
}

function Facts({ entry }: { entry: Entry }) {
  const record = entry.body;
  return (
    <dl className={styles.facts}>
      <Fact name="When">{new Date(record.at).toLocaleString()}</Fact>
      <Fact name="Requested by">
        <Plain text={originWords(record.origin)} /> <ToThread record={record} />
      </Fact>
      <Fact
        name={
          record.ruling === 'deny' ? 'Denied by' : record.ruling === 'allow' ? 'Allowed by' : 'Approval required by'
        }
      >
        <code>{record.rule}</code> ({layerWords(record.rule)})
      </Fact>
      {record.decided_by && (
        <Fact name="Decided by">
          <Plain text={record.decided_by} />
          {record.answer?.reason && (
            <>
              : “<Plain text={record.answer.reason} />”
            </>
          )}
        </Fact>
      )}
      {entry.grant && (
        <Fact name="Grant">
          <Plain text={entry.grant} />
        </Fact>
      )}
      <Fact name="Risks">{record.risks.join(', ')}</Fact>
      {record.label && (
        <Fact name="Content source">
          {LABELS[record.label]}
          {record.sources && record.sources.length > 0 && (
            <>
              : <Plain text={record.sources.join(', ')} />
            </>
          )}
        </Fact>
      )}
      <Fact name="Action">
        <CopyText text={record.action} what="the action’s id" />
      </Fact>
      <Fact name="Hashes">
        <Hash name="envelope" hash={record.envelope_hash} />
        <Hash name="preview" hash={record.preview_hash} />
        <Hash name="approval" hash={record.approval_hash} />
        <Hash name={`entry ${entry.seq}`} hash={entry.hash} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Hash({ name, hash }: { name: string; hash: string | undefined }) {
  return hash ? (
    <span className={styles.hash}>
      {name} <CopyText text={hash} shown={hash.slice(0, 12)} what={`the ${name} hash`} />
    </span>
  ) : null;
}

function ToThread({ record: { origin } }: { record: AuditRecord }) {
  if (origin.kind !== 'turn') return null;
  return (
    <Button look="quiet" icon="chat" onClick={() => openThread(origin.thread, origin.turn)}>
      Open thread
    </Button>
  );
}
