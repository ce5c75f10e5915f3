import { type ReactNode, useState } from 'react';
import { toggleRegion, useShell } from '../app/shell';
import { openFile } from '../frames/store';
import { whenShown } from '../review/store';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { sentence } from '../ui/sentence';
import type { ActionId, ActionRecord, Failure, Preview } from '../wire/gen/types';
import styles from './ActionCard.module.css';
import { type CardButton, cardOf, failureOf, hunksOf, isQuiet, openParts } from './card';
import { Plain } from './Plain';
import { Changes } from './previews/Changes';
import { Command } from './previews/Command';
import { Diff } from './previews/Diff';
import { accept, redo, reject, undo, useAction, useActions, useParts } from './store';
import { useSettled } from './useSettled';

/** One action: what it would do or did, why a person is asked, and the answers. */
export function ActionCard({ id, children }: { id: ActionId; children?: ReactNode }) {
  const record = useAction(id);
  if (!record) return null;
  return isQuiet(record) ? <QuietLine record={record} /> : <Card record={record}>{children}</Card>;
}

/** A read that worked takes one line; what it saw can be opened. */
function QuietLine({ record }: { record: ActionRecord }) {
  const outcome = record.outcome;
  return (
    <details className={styles.quiet}>
      <summary>
        <Icon name="check" />
        <span>{cardOf(record).title}</span>
      </summary>
      {outcome?.kind === 'done' && (
        <pre className={styles.seen}>
          <Plain text={outcome.observation.text} />
        </pre>
      )}
      <Raw record={record} />
    </details>
  );
}

function Card({ record, children }: { record: ActionRecord; children?: ReactNode }) {
  const card = cardOf(record, useParts(record));
  const [opened, setOpened] = useState<boolean | null>(null);
  const open = opened ?? card.open;
  return (
    <section className={`${styles.card} ${styles[card.tone]}`} aria-label={`${card.title}: ${card.word}`}>
      <button type="button" className={styles.header} aria-expanded={open} onClick={() => setOpened(!open)}>
        <Icon name={card.icon} />
        <span className={styles.words}>
          <span className={styles.title}>
            <Plain text={card.title} />
          </span>
          <span className={styles.meta}>
            <span className={styles.state}>{card.word}</span>
            <Risks record={record} />
          </span>
        </span>
        <Icon name={open ? 'chevronDown' : 'chevronRight'} />
      </button>
      {open && <Body record={record} />}
      <Footer record={record} />
      {children}
    </section>
  );
}

/** What it touches beyond reading and writing. */
function Risks({ record }: { record: ActionRecord }) {
  const risks = record.envelope.risk_level.filter((risk) => risk !== 'read' && risk !== 'write');
  if (risks.length === 0) return null;
  return risks.map((risk) => (
    <span key={risk} className={styles.risk}>
      {risk}
    </span>
  ));
}

function Body({ record }: { record: ActionRecord }) {
  const { preview, verdict, state } = record;
  const failure = failureOf(record);
  return (
    <div className={styles.body}>
      {preview?.warnings.map((warning) => (
        <p key={warning.guard} className={styles.warning}>
          <Icon name="warning" />
          <Plain text={warning.text} />
        </p>
      ))}
      {preview && <PreviewBody record={record} preview={preview} />}
      {failure && state !== 'undone' && <Why failure={failure} />}
      {record.outcome?.kind === 'interrupted' && (
        <p className={styles.warning}>
          <Icon name="clock" />
          <span>{record.outcome.reason} Look at what it changed before you ask for it again.</span>
        </p>
      )}
      {verdict.ruling !== 'allow' && (
        <p className={styles.why}>
          <strong>{verdict.ruling === 'deny' ? 'Why not' : 'Why asked'}:</strong> {sentence(verdict.reason)}{' '}
          <code>{verdict.rule}</code>
        </p>
      )}
      <Raw record={record} />
    </div>
  );
}

/** The change itself, as its kind is best seen. */
export function PreviewBody({ record, preview }: { record: ActionRecord; preview: Preview }) {
  const { body, completeness } = preview;
  return (
    <>
      {body.kind === 'diff' && <Diff record={record} files={body.files} />}
      {body.kind === 'command' && <Command argv={body.argv} cwd={body.cwd} />}
      {body.kind === 'changes' && <Changes rows={body.rows} />}
      {completeness === 'partial' && <p className={styles.why}>This shows only a part of what it does.</p>}
      {completeness === 'opaque' && <p className={styles.why}>What it does can’t be known before it runs.</p>}
    </>
  );
}

function Why({ failure }: { failure: Failure }) {
  return (
    <p className={styles.failure}>
      <Plain text={sentence(failure.message)} />
      {failure.hint && (
        <span className={styles.hint}>
          <Plain text={sentence(failure.hint)} />
        </span>
      )}
    </p>
  );
}

/** The envelope as the server has it, for those who want to know exactly. */
function Raw({ record }: { record: ActionRecord }) {
  return (
    <details className={styles.raw}>
      <summary>Details</summary>
      <pre>
        <Plain text={JSON.stringify({ ...record.envelope, origin: record.origin, verdict: record.verdict }, null, 1)} />
      </pre>
    </details>
  );
}

function Footer({ record }: { record: ActionRecord }) {
  const id = record.envelope.id;
  const renewed = useActions((state) => state.renewed.has(id));
  const problem = useActions((state) => state.problems.get(id));
  const buttons = cardOf(record, useParts(record)).buttons;
  return (
    <>
      {renewed && record.state === 'awaiting_confirmation' && (
        <p className={styles.notice} role="status">
          The file has changed since. This is what it would do now; look again.
        </p>
      )}
      {problem && <p className={styles.problem}>{sentence(problem.message)}</p>}
      {buttons.length > 0 && <Buttons record={record} buttons={buttons} />}
    </>
  );
}

function Buttons({ record, buttons }: { record: ActionRecord; buttons: readonly CardButton[] }) {
  const id = record.envelope.id;
  const [reason, setReason] = useState<string | null>(null);
  // What destroys is pressed twice.
  const [sure, setSure] = useState(false);
  const deciding = useActions((state) => state.deciding.has(id));
  const settled = useSettled(record.approval_hash);
  if (reason !== null) {
    return <Reason text={reason} onChange={setReason} onSend={() => void reject(id, reason.trim() || undefined)} />;
  }
  const destructive = record.envelope.risk_level.includes('destructive');
  const run = { accept: () => accept(id), reject: () => reject(id), undo: () => undo(id), redo: () => redo(id) };
  return (
    <div className={styles.buttons}>
      {buttons.map(({ intent, label }) => (
        <Button
          key={intent}
          look={intent === 'accept' ? (destructive ? 'danger' : 'primary') : 'plain'}
          disabled={deciding || (intent === 'accept' && !settled)}
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => (intent === 'accept' && destructive && !sure ? setSure(true) : void run[intent]())}
        >
          {intent === 'accept' && sure ? `Really ${label.toLowerCase()}` : label}
        </Button>
      ))}
      {record.state === 'awaiting_confirmation' && (
        <>
          <Button look="quiet" disabled={deciding} aria-label="Say why, and reject" onClick={() => setReason('')}>
            Say why…
          </Button>
          <ShowInFile record={record} />
        </>
      )}
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
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field.
        autoFocus
        aria-label="Why not? It is told to the model"
        placeholder="Why not? It is told to the model"
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

/** Opens the file at the first change that is still open. */
function ShowInFile({ record }: { record: ActionRecord }) {
  const body = record.preview?.body;
  const file = body?.kind === 'diff' ? body.files.find((each) => each.change.kind === 'edited') : undefined;
  const part = openParts(record)[0];
  const hunk = hunksOf(record.preview).find((each) => each.part === part);
  if (!file || !hunk) return null;
  const show = () => {
    // In a narrow window the side lies over the file.
    if (useShell.getState().width === 'narrow') toggleRegion('side', false);
    openFile(file.path, { line: hunk.start });
    whenShown(file.path, `${record.envelope.id}/${hunk.part}`);
  };
  return (
    <Button look="quiet" onClick={show}>
      Show in file
    </Button>
  );
}
