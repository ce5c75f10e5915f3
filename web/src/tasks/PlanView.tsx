import { useState } from 'react';
import { ActionCard, PreviewBody } from '../actions/ActionCard';
import { Plain } from '../actions/Plain';
import { type AnswersOf, Decided, Diff } from '../actions/previews/Diff';
import { Raw } from '../actions/Raw';
import { RefusedUndo } from '../actions/RefusedUndo';
import { layerWords } from '../actions/rule';
import { Warnings } from '../actions/Warnings';
import { Words } from '../actions/Words';
import { Fold, FoldBody, Mark } from '../ui/Fold';
import { Icon } from '../ui/Icon';
import { Note, Problem } from '../ui/Note';
import type { Plan, PlanStep, TaskId } from '../wire/gen/types';
import { PartAnswers } from './PartAnswers';
import { isDivisible, leftWords, partKey } from './parts';
import styles from './Tasks.module.css';
import { completenessWords, stepState, stepTitle } from './words';

interface PlanViewProps {
  plan: Plan;
  /** All that it would do is shown without being asked for: somebody is to say yes to it. */
  whole: boolean;
  /** Leaves a step out and shows the rest anew, where that can be asked for. */
  onLeaveOut?: (step: number) => void;
  /** The task that waits with it: its changes can be answered one by one. */
  task?: TaskId;
}

/** The steps of a plan in order, each with what it would do over what the ones before it leave. */
export function PlanView({ plan, whole, onLeaveOut, task }: PlanViewProps) {
  const shown = completenessWords(plan.completeness);
  return (
    <>
      {whole && (
        <p className={styles.completeness} data-tone={shown.tone}>
          <Icon name={shown.tone === 'ok' ? 'check' : 'warning'} /> {shown.text}
        </p>
      )}
      <ol className={styles.steps} aria-label="Plan">
        {plan.steps.map((step) => (
          <Step
            key={step.number}
            step={step}
            count={plan.steps.length}
            whole={whole}
            onLeaveOut={onLeaveOut}
            task={task}
          />
        ))}
      </ol>
    </>
  );
}

interface StepProps {
  step: PlanStep;
  count: number;
  whole: boolean;
  onLeaveOut?: (step: number) => void;
  task?: TaskId;
}

function Step({ step, count, whole, onLeaveOut, task }: StepProps) {
  const state = stepState(step);
  const waits = step.state === 'waiting' && step.problem === null;
  const [opened, setOpened] = useState<boolean | null>(null);
  const open = opened ?? ((whole && waits) || step.state === 'failed' || step.problem !== null);
  return (
    <li className={styles.step} data-tone={state.tone} data-state={step.state}>
      <Fold
        icon={state.icon}
        title={<StepTitle step={step} count={count} />}
        state={state.word}
        open={open}
        onToggle={() => setOpened(!open)}
      >
        <code>{step.request.action_type}</code>
        <Risks step={step} />
        {task && leftWords(step) && <span>{leftWords(step)}</span>}
        {step.changed && waits && <Mark>updated</Mark>}
        {step.approved_by && <span>confirmed by {step.approved_by}</span>}
      </Fold>
      {open && <StepBody step={step} onLeaveOut={waits ? onLeaveOut : undefined} task={task} />}
    </li>
  );
}

function StepTitle({ step, count }: { step: PlanStep; count: number }) {
  return (
    <span className={styles.stepTitle}>
      <span className="visually-hidden">
        Step {step.number} of {count}:{' '}
      </span>
      <span aria-hidden="true">{step.number}.</span> <Plain text={stepTitle(step)} />
    </span>
  );
}

function Risks({ step }: { step: PlanStep }) {
  return step.risks.filter((risk) => risk !== 'read' && risk !== 'write').map((risk) => <Mark key={risk}>{risk}</Mark>);
}

function StepBody({ step, onLeaveOut, task }: Omit<StepProps, 'count' | 'whole'>) {
  const { preview, problem, verdict, action } = step;
  // Once it was done, its own record says more than its plan.
  if (action) {
    return (
      <>
        <ActionCard id={action} />
        <Rejected step={step} />
      </>
    );
  }
  return (
    <FoldBody>
      {problem && !step.undoes && <Problem failure={problem} />}
      {problem && step.undoes && <RefusedUndo targets={step.assessment.targets} failure={problem} />}
      {step.changed && (
        <Note>
          <strong>Changed since the last preview:</strong> <Words text={step.changed} />.
        </Note>
      )}
      {step.as_if_without !== null && (
        <Note>The changes of step {step.as_if_without} can’t be previewed, so this preview ignores them.</Note>
      )}
      <Warnings preview={preview} />
      {preview && <PreviewBody record={null} preview={preview} whole answers={answersOf(step, task)} />}
      <Rejected step={step} />
      {verdict.ruling !== 'allow' && !(problem && step.undoes) && (
        <Note>
          <strong>{verdict.ruling === 'deny' ? 'Not allowed because:' : 'Approval required because:'}</strong>{' '}
          <Words text={verdict.reason} /> <code>{verdict.rule}</code>, {layerWords(verdict.rule)}
        </Note>
      )}
      <Raw name="Request" value={step.request} />
      {onLeaveOut && (
        <button type="button" className={styles.leave} onClick={() => onLeaveOut(step.number)}>
          Skip this step
        </button>
      )}
    </FoldBody>
  );
}

/** What a person took out of it stays to be read. */
function Rejected({ step }: { step: PlanStep }) {
  return <Diff record={null} files={step.rejected} whole answers={REJECTED} />;
}

const REJECTED: AnswersOf = (_, hunk) => <Decided decision="reject" action={null} hunk={hunk} />;

/** What stands beside the changes of a step: the answers while it waits, or that it was left out. */
function answersOf(step: PlanStep, task: TaskId | undefined): AnswersOf | undefined {
  if (step.problem?.code === 'left_out') return REJECTED;
  if (!task || !isDivisible(step)) return undefined;
  return (file, hunk) => (
    <PartAnswers
      about={{ task, step: step.number, keys: [partKey(file, hunk)] }}
      accepted={step.approved_by !== null || step.accepted.includes(hunk.part)}
    />
  );
}
