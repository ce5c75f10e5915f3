import { useEffect } from 'react';
import { useActions } from '../actions/store';
import { linkTo } from '../app/history';
import { useTaskOfTurn, useTasksOf } from '../tasks/known';
import { Timeline } from '../tasks/Timeline';
import { Answer } from '../threads/Answer';
import { actionsOf, openStep, type TurnView } from '../threads/events';
import { openTaskOfTurn, openThread } from '../threads/openThread';
import { stop } from '../threads/send';
import { useThreads } from '../threads/state';
import { follow, useThreadView } from '../threads/store';
import { useAnnouncements } from '../threads/useAnnouncements';
import { useWaitingCount } from '../threads/useWaitingCount';
import { endWords, progressWords } from '../threads/words';
import { Button } from '../ui/Button';
import { CopyButton } from '../ui/CopyText';
import { Icon } from '../ui/Icon';
import type { ThreadId } from '../wire/gen/types';
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
        <Progress turn={turn} />
      ) : (
        <p className={styles.state} data-tone="accent">
          <Icon name="spinner" /> Working…
        </p>
      )}
      <div className={styles.foot}>
        {turn?.end === null && (
          <Button icon="stop" onClick={() => void stop(thread)}>
            Stop
          </Button>
        )}
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
    </>
  );
}

/** The steps so far, then the answer. */
function Progress({ turn }: { turn: TurnView }) {
  const records = useActions((state) => state.records);
  const waiting = useWaitingCount(actionsOf(turn));
  const entries = timelineOf(turn, records);
  const { text, streaming } = answerOf(turn);
  const end = turn.end && endWords(turn.end);
  return (
    <>
      {turn.end === null && (
        <p className={styles.state} data-tone={waiting > 0 ? 'warn' : 'accent'}>
          <Icon name={waiting > 0 ? 'hand' : 'spinner'} />
          {waiting > 0 ? 'Waiting for you' : progressWords(turn.steps.length, openStep(turn))}
        </p>
      )}
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

/** The task has the plan, the debug view and the way back. */
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
