import { lazy, Suspense, useDeferredValue, useState } from 'react';
import { toggleRegion, useShell } from '../app/shell';
import { openFile } from '../frames/store';
import { whenShown } from '../review/store';
import { Button } from '../ui/Button';
import { Input } from '../ui/Field';
import { Menu, type MenuItem } from '../ui/Menu';
import { sentence } from '../ui/sentence';
import type { ActionRecord } from '../wire/gen/types';
import styles from './ActionCard.module.css';
import { type CardButton, type CardIntent, canUndo, cardOf, hunksOf, openParts } from './card';
import { useChecked } from './checkedRows';
import { RefusedUndo } from './RefusedUndo';
import { Remember } from './Remember';
import { runOnOf } from './runOn';
import { accept, redo, reject, stop, undo, useActions, useParts } from './store';
import { useSettled } from './useSettled';

const RunOn = lazy(async () => ({ default: (await import('./RunOn')).RunOn }));

/** The answers that an action offers to a person, and the outcome of the last one. The rare answers are in a menu. */
export function Answers({ record }: { record: ActionRecord }) {
  const id = record.envelope.id;
  const renewed = useActions((state) => state.renewed.has(id));
  const problem = useActions((state) => state.problems.get(id));
  const buttons = cardOf(record, useParts(record)).buttons;
  return (
    <>
      {renewed && record.state === 'awaiting_confirmation' && (
        <p className={styles.notice} role="status">
          The preview has changed. Review it again before you accept.
        </p>
      )}
      {record.state === 'awaiting_confirmation' &&
        record.provenance.label === 'external' &&
        !record.verdict.could_add &&
        !runOnOf(record) && (
          <p className={styles.plain}>
            This approval can’t be remembered because an untrusted source led to the action.
          </p>
        )}
      {problem && record.state === 'done' && (
        <div className={styles.problem}>
          <RefusedUndo targets={record.assessment.targets} failure={problem} />
        </div>
      )}
      {problem && record.state !== 'done' && <p className={styles.problem}>{sentence(problem.message)}</p>}
      {buttons.length > 0 && <Buttons record={record} buttons={buttons} />}
    </>
  );
}

interface ButtonsProps {
  record: ActionRecord;
  buttons: readonly CardButton[];
}

function Buttons({ record, buttons }: ButtonsProps) {
  const id = record.envelope.id;
  const [reason, setReason] = useState<string | null>(null);
  const [remember, setRemember] = useState(false);
  const [runsOn, setRunsOn] = useState(false);
  const wish = runOnOf(record);
  // What destroys is pressed twice, and what is asked anew is asked from the start.
  const [sureOf, setSureOf] = useState<string | null>(null);
  const sure = sureOf !== null && sureOf === record.approval_hash;
  const deciding = useDeferredValue(useActions((state) => state.deciding.has(id)));
  const settled = useSettled(record.approval_hash);
  const checked = useChecked(record);
  if (reason !== null) {
    return <Reason text={reason} onChange={setReason} onSend={() => void reject(id, { reason: reason.trim() })} />;
  }
  if (remember && record.state === 'awaiting_confirmation') {
    return <Remember record={record} onClose={() => setRemember(false)} />;
  }
  if (runsOn && wish) {
    return (
      <Suspense fallback={null}>
        <RunOn record={record} wish={wish} onClose={() => setRunsOn(false)} />
      </Suspense>
    );
  }
  const destructive = record.envelope.risk_level.includes('destructive');
  const run: Record<CardIntent, () => Promise<boolean>> = {
    accept: () => accept(id, checked),
    reject: () => reject(id),
    stop: () => stop(id),
    undo: () => undo(id),
    redo: () => redo(id),
  };
  const rare: MenuItem[] = [
    ...(record.verdict.could_add ? [{ label: 'Accept and remember…', run: () => setRemember(true) }] : []),
    ...(wish ? [{ label: 'Run and continue…', run: () => setRunsOn(true) }] : []),
    { label: 'Reject with reason…', run: () => setReason('') },
    ...showInFile(record),
  ];
  return (
    <div className={styles.buttons}>
      {buttons.map(({ intent, label }) => (
        <Button
          key={intent}
          data-intent={intent}
          look={intent === 'accept' ? (destructive ? 'danger' : 'primary') : 'plain'}
          disabled={
            (deciding && intent !== 'stop') || (intent === 'accept' && (!settled || checked.parts?.length === 0))
          }
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() =>
            intent === 'accept' && destructive && !sure ? setSureOf(record.approval_hash) : void run[intent]()
          }
        >
          {intent === 'accept' && sure ? `Really ${label.toLowerCase()}` : label}
        </Button>
      ))}
      {record.undo_until && canUndo(record) && (
        <span className={styles.plain}>can be undone until {new Date(record.undo_until).toLocaleString()}</span>
      )}
      {record.state === 'awaiting_confirmation' &&
        (deciding ? null : <Menu icon="more" label="More answers" items={rare} />)}
    </div>
  );
}

function Reason({ text, onChange, onSend }: { text: string; onChange(text: string | null): void; onSend(): void }) {
  return (
    <form
      className={styles.reason}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <Input
        autoFocus
        aria-label="Reason (sent to the model)"
        placeholder="Reason (sent to the model)"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onChange(null)}
      />
      <Button type="submit">Reject</Button>
      <Button look="quiet" onClick={() => onChange(null)}>
        Cancel
      </Button>
    </form>
  );
}

const SHOW = 'Show in file';

/** Opens the file at the first change that is still open. */
function showInFile(record: ActionRecord): MenuItem[] {
  const body = record.preview?.body;
  const file = body?.kind === 'diff' ? body.files.find((each) => each.change.kind === 'edited') : undefined;
  const part = openParts(record)[0];
  const hunk = hunksOf(record.preview).find((each) => each.part === part);
  if (!file || !hunk) return [];
  const run = () => {
    // In a narrow window the side lies over the file.
    if (useShell.getState().width === 'narrow') toggleRegion('side', false);
    // A cell has lines of its own, and no review in them.
    if (file.cell) return openFile(file.path);
    openFile(file.path, { line: hunk.start });
    whenShown(file.path, `${record.envelope.id}/${hunk.part}`);
  };
  return [{ label: SHOW, run }];
}
