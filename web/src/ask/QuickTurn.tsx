import { useEffect } from 'react';
import { useActions } from '../actions/store';
import { linkTo } from '../app/history';
import { ScriptOfCall } from '../scripts/ScriptOfCall';
import { CatalogAndEnvelopes, DebugDetails, DebugPart, PlannedSteps } from '../tasks/DebugParts';
import { useTaskOfTurn, useTasksOf } from '../tasks/known';
import { plannedOf } from '../tasks/planner';
import { steer } from '../tasks/store';
import { Timeline } from '../tasks/Timeline';
import { useRecords } from '../tasks/useRecords';
import { Answer } from '../threads/Answer';
import { actionsOf, openStep, type TurnView } from '../threads/events';
import { openTaskOfTurn, openThread } from '../threads/openThread';
import { send, stop } from '../threads/send';
import { useThreads } from '../threads/state';
import { follow, useThreadView } from '../threads/store';
import { useAnnouncements } from '../threads/useAnnouncements';
import { useWaitingCount } from '../threads/useWaitingCount';
import { endWords, progressWords } from '../threads/words';
import { Button } from '../ui/Button';
import { CopyButton } from '../ui/CopyText';
import { Icon } from '../ui/Icon';
import { toastFailure } from '../ui/Toast';
import type { ActionId, ThreadId } from '../wire/gen/types';
import { HandOffButton } from './HandOffButton';
import styles from './QuickPanel.module.css';
import { showQuick } from './quick';
import { answerOf, timelineOf } from './turnTimeline';

/** A message to the assistant: its steps as a timeline, and the answer at the end. */
export function QuickTurn({ thread }: { thread: ThreadId }) {
  const view = useThreadView(thread);
  const caughtUp = useThreads((state) => state.caughtUp.has(thread));
  useEffect(() => follow(thread), [thread]);
  useAnnouncements(thread, view, caughtUp);
  useTasksOf(thread);
  const turn = view.turns.at(-1);
  return (
    <>
      {turn ? (
        <Progress turns={view.turns} turn={turn} most={view.thread?.navigator?.steps} />
      ) : (
        <p className={styles.state} data-tone="accent">
          <Icon name="spinner" /> Working…
        </p>
      )}
      <div className={styles.foot}>
        {turn && <Steering thread={thread} turn={turn} />}
        <span className={styles.gap} />
        <CopyButton text={linkTo({ kind: 'thread', thread })} what="link to this thread" shown="Copy link" />
        {turn && <ToTask turn={turn} />}
        <Button
          look="quiet"
          icon="chat"
          onClick={() => {
            showQuick(null);
            openThread(thread);
          }}
        >
          Open as thread
        </Button>
      </div>
      {turn && <Debug turn={turn} />}
    </>
  );
}

interface ProgressProps {
  readonly turns: readonly TurnView[];
  /** The last of them. */
  readonly turn: TurnView;
  /** The steps of its budget. */
  readonly most: number | undefined;
}

/** The steps so far, those before a *Continue* too, then the answer. */
function Progress({ turns, turn, most }: ProgressProps) {
  const records = useActions((state) => state.records);
  const waiting = useWaitingCount(actionsOf(turn), turn.id);
  const entries = turns.flatMap((each) => timelineOf(each, records));
  const { text, streaming } = answerOf(turn);
  // A script shows before all else: its run with its question, then the dry run with its table.
  const isScript = (id: ActionId) => records.get(id)?.envelope.action_type === 'script.run';
  const scripts = turns.flatMap(actionsOf).filter(isScript).slice(-2).reverse();
  const end = turn.end && endWords(turn.end);
  const step = turn.steps.at(-1)?.step ?? 0;
  return (
    <>
      {turn.end === null && (
        <p className={styles.state} data-tone={waiting > 0 ? 'warn' : 'accent'}>
          <Icon name={waiting > 0 ? 'hand' : 'spinner'} />
          {waiting > 0 ? 'Waiting for you' : progressWords(turn.steps.length, openStep(turn))}
          {most !== undefined && step > 0 && (
            <span className={styles.meta}>
              Step {step} of {most}
            </span>
          )}
        </p>
      )}
      {scripts.map((id) => (
        <ScriptOfCall key={id} action={id} />
      ))}
      {entries.length > 0 && <Timeline entries={entries} />}
      {text !== '' && (
        <section className={styles.answer} aria-label="Answer">
          <Answer text={text} streaming={streaming} />
        </section>
      )}
      {end && (
        <p className={styles.state} data-tone={end.tone}>
          {end.text} {end.detail}
        </p>
      )}
    </>
  );
}

/** Stop and pause while it works; the way on after an end that leaves something to do. */
function Steering({ thread, turn }: { thread: ThreadId; turn: TurnView }) {
  const task = useTaskOfTurn(turn.id);
  if (turn.end === null) {
    return (
      <>
        {task !== null && (
          <Button
            icon="pause"
            onClick={() => void steer(task, 'pause').then((failure) => failure && toastFailure(failure))}
          >
            Pause
          </Button>
        )}
        <Button icon="stop" onClick={() => void stop(thread)}>
          Stop
        </Button>
      </>
    );
  }
  if (turn.end.kind === 'hand_off') return <HandOffButton goal={turn.text} offer={turn.end.offer} />;
  if (endWords(turn.end)?.offer !== 'continue') return null;
  return (
    <Button icon="play" look="primary" onClick={() => void send('Continue.', { thread })}>
      Continue
    </Button>
  );
}

/** The task has the plan and the way back. */
function ToTask({ turn }: { turn: TurnView }) {
  const task = useTaskOfTurn(turn.id);
  if (task === null) return null;
  return (
    <Button
      look="quiet"
      icon="tasks"
      onClick={() => {
        showQuick(null);
        openTaskOfTurn(task);
      }}
    >
      Open task
    </Button>
  );
}

/** The raw answers of the model, the calls of the catalog and the envelopes, folded away. */
function Debug({ turn }: { turn: TurnView }) {
  return <DebugDetails>{(open) => open && <DebugOfTurn turn={turn} />}</DebugDetails>;
}

function DebugOfTurn({ turn }: { turn: TurnView }) {
  const records = useRecords(actionsOf(turn), true);
  return (
    <>
      <DebugPart title="Context" value={turn.chips.map(({ text }) => text)} />
      <PlannedSteps steps={turn.steps.flatMap((step) => plannedOf(step) ?? [])} />
      <CatalogAndEnvelopes records={records} />
    </>
  );
}
