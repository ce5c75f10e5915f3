import { useEffect, useId, useMemo, useState } from 'react';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Check, Field, Input, TextArea } from '../ui/Field';
import { Problem } from '../ui/Note';
import type { ActionRequest, Descriptor, Task } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { DryRun } from './DryRun';
import { parseArguments } from './schema';
import { again, againPath } from './store';
import styles from './Tasks.module.css';

/** Runs an earlier task again: what the server would ask for, with its arguments to be changed, then what that would do now. */
export function RunAgain({ task, onClose }: { task: Task; onClose(): void }) {
  const { data, failure } = useResource<ActionRequest[]>(againPath(task.id));
  const [goal, setGoal] = useState(task.goal);
  const [steps, setSteps] = useState<readonly ActionRequest[] | null>(null);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (data && steps === null) setSteps(data);
  }, [data, steps]);
  const make = useMemo(() => again(task.id, { goal, ...(steps && { steps: [...steps] }) }), [task.id, goal, steps]);
  if (shown) {
    return (
      <Dialog title="Run again: what it would do now" onClose={onClose}>
        <DryRun make={make} verb="Run it" onDone={onClose}>
          <Button onClick={() => setShown(false)}>Back to the arguments</Button>
        </DryRun>
      </Dialog>
    );
  }
  return (
    <Dialog title="Run again" onClose={onClose}>
      {failure && <Problem failure={failure} />}
      <Field label="What for">
        {(id) => <Input id={id} value={goal} data-first-focus onChange={(event) => setGoal(event.target.value)} />}
      </Field>
      {steps && <Steps steps={steps} onReady={setSteps} onShow={() => setShown(true)} onClose={onClose} />}
    </Dialog>
  );
}

interface StepsProps {
  steps: readonly ActionRequest[];
  onReady(steps: readonly ActionRequest[]): void;
  onShow(): void;
  onClose(): void;
}

function Steps({ steps, onReady, onShow, onClose }: StepsProps) {
  const catalog = useResource<Descriptor[]>('catalog').data;
  const [texts, setTexts] = useState(() => steps.map((step) => JSON.stringify(step.args, null, 2)));
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const parsed = texts.map((text, index) =>
    parseArguments(text, catalog?.find((each) => each.name === steps[index]?.action_type)?.args_schema),
  );
  const kept = steps.flatMap((step, index) => {
    const read = parsed[index];
    return left.has(index) || !read || 'problem' in read ? [] : [{ ...step, args: read.value }];
  });
  const wrong = parsed.some((read, index) => !left.has(index) && 'problem' in read);
  return (
    <>
      <ol className={styles.edits}>
        {steps.map((step, index) => (
          <StepEdit
            // biome-ignore lint/suspicious/noArrayIndexKey: steps keep their places.
            key={index}
            step={step}
            text={texts[index] ?? ''}
            problem={problemIn(parsed[index])}
            kept={!left.has(index)}
            onText={(text) => setTexts(texts.with(index, text))}
            onKeep={(keep) => setLeft(new Set(keep ? [...left].filter((each) => each !== index) : [...left, index]))}
          />
        ))}
      </ol>
      <div className={styles.buttons}>
        <Button
          look="primary"
          disabled={wrong || kept.length === 0}
          onClick={() => {
            onReady(kept);
            onShow();
          }}
        >
          Show what it would do
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </>
  );
}

function problemIn(read: ReturnType<typeof parseArguments> | undefined): string | null {
  return read && 'problem' in read ? read.problem : null;
}

interface StepEditProps {
  step: ActionRequest;
  text: string;
  problem: string | null;
  kept: boolean;
  onText(text: string): void;
  onKeep(keep: boolean): void;
}

function StepEdit({ step, text, problem, kept, onText, onKeep }: StepEditProps) {
  const field = useId();
  return (
    <li>
      <Check checked={kept} onChange={(event) => onKeep(event.target.checked)}>
        <code>{step.action_type}</code>
      </Check>
      <TextArea
        className={styles.json}
        aria-label={`Arguments of ${step.action_type}`}
        rows={Math.min(16, text.split('\n').length)}
        spellCheck={false}
        value={text}
        disabled={!kept}
        aria-invalid={problem !== null}
        aria-describedby={problem ? field : undefined}
        onChange={(event) => onText(event.target.value)}
      />
      {kept && problem && (
        <p id={field} className={styles.wrong}>
          {problem}
        </p>
      )}
    </li>
  );
}
