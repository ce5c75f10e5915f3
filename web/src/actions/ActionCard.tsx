import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { nameOf } from '../files/rows';
import { HelpWithCommand } from '../problems/HelpWithCommand';
import { Fold, FoldBody, Mark } from '../ui/Fold';
import { Icon } from '../ui/Icon';
import { TextBlock } from '../ui/TextBlock';
import { useKeepFocus } from '../ui/useKeepFocus';
import type { ActionId, ActionRecord, Failure, Preview } from '../wire/gen/types';
import styles from './ActionCard.module.css';
import { Answers } from './Answers';
import { cardOf, failureOf, isQuiet } from './card';
import { commandResultOf } from './command';
import { FileRisk } from './FileRisk';
import { LiveOutput } from './LiveOutput';
import { OneLine } from './OneLine';
import { oneLineOf } from './oneLine';
import { Plain } from './Plain';
import { Changes } from './previews/Changes';
import { Command } from './previews/Command';
import { CommandResult } from './previews/CommandResult';
import { type AnswersOf, Diff } from './previews/Diff';
import { Rows } from './previews/Rows';
import { Raw } from './Raw';
import { RefusedUndo } from './RefusedUndo';
import { becauseWords, layerWords } from './rule';
import { Sources } from './Sources';
import { useAction, useActions, useParts } from './store';
import { Warnings } from './Warnings';
import { Words } from './Words';

const PersonOnly = lazy(() => import('../ask/PersonOnly'));

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
        <TextBlock>
          <Plain text={outcome.observation.text} />
        </TextBlock>
      )}
      <Raw name="Details" value={envelopeOf(record)} />
    </details>
  );
}

function Card({ record, children }: { record: ActionRecord; children?: ReactNode }) {
  const card = cardOf(record, useParts(record));
  const [opened, setOpened] = useState<boolean | null>(null);
  // A preview that has changed since it was shown is shown again.
  const renewed = useActions((state) => state.renewed.has(record.envelope.id));
  const open = opened ?? (card.open || (renewed && record.state === 'awaiting_confirmation'));
  const compact = !open && record.state === 'awaiting_confirmation' ? oneLineOf(record) : null;
  const whole = useRef<HTMLElement>(null);
  useKeepFocus(whole);
  return (
    <section
      ref={whole}
      tabIndex={-1}
      className={styles.card}
      data-card
      data-open={open}
      data-tone={card.tone}
      aria-label={`${card.title}: ${card.word}`}
    >
      <Fold
        icon={card.icon}
        title={<Plain text={compact ? nameOf(compact.path) : card.title} />}
        state={card.word}
        open={open}
        compact={compact !== null}
        onToggle={() => setOpened(!open)}
      >
        <Marks record={record} />
        {!open && <OneLine record={record} />}
      </Fold>
      {open && <Body record={record} />}
      <Answers record={record} />
      {children}
    </section>
  );
}

/** What it touches beyond reading and writing, and whether a source that is not trusted led to it. */
export function Marks({ record }: { record: ActionRecord }) {
  const risks = record.envelope.risk_level.filter((risk) => risk !== 'read' && risk !== 'write');
  return (
    <>
      {risks.map((risk) => (
        <Mark key={risk}>{risk}</Mark>
      ))}
      {record.provenance.label === 'external' && <Mark>untrusted source</Mark>}
      <FileRisk record={record} />
    </>
  );
}

/** All that there is to know before and after: what it would do, why it was asked, what came of it. */
export function Body({ record, whole = false }: { record: ActionRecord; whole?: boolean }) {
  const { preview, verdict, state } = record;
  const failure = failureOf(record);
  return (
    <FoldBody>
      <Warnings preview={preview} />
      <Sources of={record} />
      {preview && <PreviewBody record={record} preview={preview} whole={whole} />}
      {state === 'running' && <LiveOutput action={record.envelope.id} />}
      <Result record={record} />
      {failure && record.undoes && <RefusedUndo targets={record.assessment.targets} failure={failure} />}
      {failure && !record.undoes && state !== 'undone' && <Why failure={failure} />}
      {failure?.code === 'person_only' && record.origin.kind !== 'user' && (
        <Suspense fallback={null}>
          <PersonOnly action={record.envelope.action_type} />
        </Suspense>
      )}
      <HelpWithCommand record={record} />
      {record.outcome?.kind === 'interrupted' && (
        <p className={styles.interrupted}>
          <Icon name="clock" />
          <span>{record.outcome.reason} Check what changed before you try again.</span>
        </p>
      )}
      {verdict.ruling !== 'allow' && (
        <p className={styles.why}>
          <strong>{becauseWords(verdict)}</strong> <Words text={verdict.reason} />{' '}
          <span className={styles.rule}>
            <code>{verdict.rule}</code>, {layerWords(verdict.rule)}
          </span>
        </p>
      )}
      <Raw name="Details" value={envelopeOf(record)} />
    </FoldBody>
  );
}

interface PreviewProps {
  /** The action, if its parts can be answered one by one. */
  record: ActionRecord | null;
  preview: Preview;
  /** Long changes take all the room they need, instead of scrolling on their own. */
  whole?: boolean;
  /** The answers to changes that are no parts of a record. */
  answers?: AnswersOf;
}

/** The change itself, as its kind is best seen. */
export function PreviewBody({ record, preview, whole = false, answers }: PreviewProps) {
  const { body, completeness } = preview;
  return (
    <>
      {body.kind === 'diff' && <Diff record={record} files={body.files} whole={whole} answers={answers} />}
      {body.kind === 'command' && <Command {...body} marks={record?.marked.map((each) => each.text)} />}
      {body.kind === 'rows' && <Rows record={record} rows={body.rows} />}
      {body.kind === 'changes' && <Changes rows={body.rows} />}
      {completeness === 'partial' && <p className={styles.why}>This preview is incomplete.</p>}
      {completeness === 'opaque' && <p className={styles.why}>The effects can’t be previewed.</p>}
    </>
  );
}

/** What came of it in words, where the change alone does not say it. */
function Result({ record }: { record: ActionRecord }) {
  const { outcome, preview } = record;
  const command = commandResultOf(record);
  if (command) return <CommandResult result={command} />;
  if (outcome?.kind !== 'done' || preview?.body.kind === 'diff' || outcome.observation.text.trim() === '') return null;
  return (
    <TextBlock>
      <Plain text={outcome.observation.text} />
    </TextBlock>
  );
}

function Why({ failure }: { failure: Failure }) {
  return (
    <p className={styles.failure}>
      <Words text={failure.message} />
      {failure.hint && (
        <span className={styles.hint}>
          <Words text={failure.hint} />
        </span>
      )}
    </p>
  );
}

/** The envelope, with who asked and what was ruled, for those who want to know exactly. */
function envelopeOf({ envelope, origin, grant, verdict }: ActionRecord) {
  return { ...envelope, origin, grant, verdict };
}
