import { Fragment, lazy, memo, Suspense } from 'react';
import { isQuiet } from '../actions/card';
import { Plain } from '../actions/Plain';
import { useAction } from '../actions/store';
import { costWords } from '../models/money';
import { sumOf } from '../models/usage';
import { ScriptOfCall } from '../scripts/ScriptOfCall';
import { useTaskOfTurn } from '../tasks/known';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { ActionId, ToolCall, TurnId } from '../wire/gen/types';
import { Answer } from './Answer';
import { End } from './End';
import {
  actionsOf,
  type CallView,
  isNewlyLeftOut,
  openStep,
  type StepView,
  type TurnView,
  type Within,
} from './events';
import { LeftOut } from './LeftOut';
import { OfPlan } from './OfPlan';
import { openTaskOfTurn } from './openThread';
import { SentContext } from './SentContext';
import styles from './Turn.module.css';
import { useWaitingCount } from './useWaitingCount';
import { isRehearsal, modelName, progressWords, stopWords } from './words';

const Card = lazy(async () => ({ default: (await import('../actions/ActionCard')).ActionCard }));

/** One message and all of its answer. */
export const Turn = memo(function Turn({ turn, last }: { turn: TurnView; last: boolean }) {
  return (
    <>
      <article className={styles.asked} aria-label={`Message from ${turn.by}`} data-turn={turn.id} tabIndex={-1}>
        <h3 className="visually-hidden">{turn.by}</h3>
        <p className={styles.message}>
          <Plain text={turn.text} />
        </p>
        <SentContext chips={turn.chips} />
      </article>
      <article className={styles.answer} aria-label="Answer" aria-busy={turn.end === null}>
        <h3 className={styles.model}>
          <Icon name="model" size={14} />
          {modelName(turn.model)}
          {isRehearsal(turn.model) && <span className={styles.tag}>scripted</span>}
        </h3>
        <ToTask turn={turn.id} />
        {turn.steps.map((step, index) => (
          <Fragment key={step.step}>
            {step.leftOut && isNewlyLeftOut(turn, index) && <LeftOut of={step.leftOut} />}
            <Step step={step} />
          </Fragment>
        ))}
        {turn.end === null ? <Progress turn={turn} /> : <End turn={turn} last={last} />}
      </article>
    </>
  );
});

/** What was done for a message is a task of its own: its plan, its timeline, the way back. */
function ToTask({ turn }: { turn: TurnId }) {
  const task = useTaskOfTurn(turn);
  if (task === null) return null;
  return (
    <Button look="quiet" icon="tasks" className={styles.task} onClick={() => openTaskOfTurn(task)}>
      Open task
    </Button>
  );
}

const Step = memo(function Step({ step }: { step: StepView }) {
  if (step.step === CONTEXT) return step.loose.map((id) => <ContextRead key={id} id={id} />);
  return <ModelCall step={step} />;
});

/** What was read to be sent along, before the model was called. */
const CONTEXT = 0;

/** A read of the context that worked is its chip; one that did not is shown. */
function ContextRead({ id }: { id: ActionId }) {
  const record = useAction(id);
  return record && !isQuiet(record) ? <ActionCard id={id} /> : null;
}

function ModelCall({ step }: { step: StepView }) {
  const cut = step.stop && stopWords(step.stop);
  return (
    <>
      {step.thinking.text !== '' && (
        <details className={styles.thinking}>
          <summary>{step.stop === null && step.text.text === '' ? 'Thinking…' : 'Thought'}</summary>
          <p>
            <Plain text={step.thinking.text} />
          </p>
        </details>
      )}
      {step.text.text !== '' && <Answer text={step.text.text} streaming={step.stop === null} />}
      {step.calls.map((call) => (
        <Call key={call.call.id} call={call} within={step.within} notice={noticeOf(step, call.call)} />
      ))}
      {step.loose.map((id) => (
        <ActionCard key={id} id={id} />
      ))}
      {step.notices
        .filter((notice) => !step.calls.some((call) => call.call.id === notice.call))
        .map((notice) => (
          <p key={notice.text} className={styles.notice}>
            <Plain text={notice.text} />
          </p>
        ))}
      {cut && <p className={styles.warn}>{cut}</p>}
    </>
  );
}

function noticeOf(step: StepView, call: ToolCall): string | null {
  return step.notices.find((notice) => notice.call === call.id)?.text ?? null;
}

/** A call that became an action is its card; one that could not is what was said to the model. */
function Call({ call, within, notice }: { call: CallView; within: readonly Within[]; notice: string | null }) {
  if (call.action) {
    return (
      <>
        <ActionCard id={call.action} />
        <OfPlan action={call.action} within={within} />
        <ScriptOfCall action={call.action} />
      </>
    );
  }
  if (notice === null) return null;
  return (
    <details className={styles.failed}>
      <summary>
        <Icon name="bar" />
        <span>
          <Plain text={call.call.name} /> could not be called
        </span>
      </summary>
      <pre>
        <Plain text={notice} />
      </pre>
    </details>
  );
}

/** What is going on while there is nothing new to read. */
function Progress({ turn }: { turn: TurnView }) {
  const waiting = useWaitingCount(actionsOf(turn), turn.id);
  const step = openStep(turn);
  if (waiting > 0) {
    return (
      <p className={styles.waiting}>
        <Icon name="hand" />
        {waiting === 1 ? 'Waiting for your answer.' : `Waiting for ${waiting} answers.`}
      </p>
    );
  }
  const spent = costWords(sumOf(turn.steps.flatMap(({ cost }) => cost ?? [])));
  return (
    <p className={styles.progress}>
      <Icon name="spinner" />
      {progressWords(turn.steps.length, step)}
      {spent && <span> {spent} so far</span>}
    </p>
  );
}

/** The card comes with the first action that is seen. */
function ActionCard({ id }: { id: ActionId }) {
  return (
    <Suspense fallback={null}>
      <Card id={id} />
    </Suspense>
  );
}
