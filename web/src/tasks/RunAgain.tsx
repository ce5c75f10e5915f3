import { useEffect, useId, useMemo, useState } from 'react';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Check, Field, Input, TextArea } from '../ui/Field';
import { Problem } from '../ui/Note';
import type { ActionRequest, Descriptor, Task } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { DryRun } from './DryRun';
import { againPath } from './following';
import { parseArguments } from './schema';
import { again } from './store';
import styles from './Tasks.module.css';

/** Runs an earlier task again: what the server would ask for, with its arguments to be changed, then what that would do now. */
export function RunAgain({ task, onClose }: { task: Task; onClose(): void }) {
  const { data, failure } = useResource<ActionRequest[]>(againPath(task.id));
  const [goal, setGoal] = useState(task.goal);
  const [edits, setEdits] = useState<readonly Edit[] | null>(null);
  const [shown, setShown] = useState<readonly ActionRequest[] | null>(null);
  useEffect(() => {
    if (data && edits === null) setEdits(data.map(editOf));
  }, [data, edits]);
  const make = useMemo(() => again(task.id, { goal, ...(shown && { steps: [...shown] }) }), [task.id, goal, shown]);
  if (shown) {
    return (
      <Dialog title="Run again: preview" onClose={onClose}>
        <DryRun make={make} verb="Run it" onDone={onClose}>
          <Button onClick={() => setShown(null)}>Back to arguments</Button>
        </DryRun>
      </Dialog>
    );
  }
  return (
    <Dialog title="Run again" onClose={onClose}>
      {failure && <Problem failure={failure} />}
      <Field label="Goal">
        {(id) => <Input id={id} value={goal} data-first-focus onChange={(event) => setGoal(event.target.value)} />}
      </Field>
      {edits && <Steps edits={edits} onEdit={setEdits} onShow={setShown} onClose={onClose} />}
    </Dialog>
  );
}

/** A step as it is edited. */
interface Edit {
  readonly step: ActionRequest;
  readonly text: string;
  readonly kept: boolean;
}

function editOf(step: ActionRequest): Edit {
  return { step, text: JSON.stringify(step.args, null, 2), kept: true };
}

interface StepsProps {
  edits: readonly Edit[];
  onEdit(edits: readonly Edit[]): void;
  onShow(steps: readonly ActionRequest[]): void;
  onClose(): void;
}

function Steps({ edits, onEdit, onShow, onClose }: StepsProps) {
  const catalog = useResource<Descriptor[]>('catalog').data;
  const parsed = edits.map(({ step, text }) =>
    parseArguments(text, catalog?.find((each) => each.name === step.action_type)?.args_schema),
  );
  const kept = edits.flatMap(({ step, kept }, index) => {
    const read = parsed[index];
    return !kept || !read || 'problem' in read ? [] : [{ ...step, args: read.value }];
  });
  const wrong = parsed.some((read, index) => edits[index]?.kept && 'problem' in read);
  return (
    <>
      <ol className={styles.edits}>
        {edits.map((edit, index) => (
          <StepEdit
            // biome-ignore lint/suspicious/noArrayIndexKey: steps keep their places.
            key={index}
            edit={edit}
            problem={problemIn(parsed[index])}
            onEdit={(change) => onEdit(edits.with(index, { ...edit, ...change }))}
          />
        ))}
      </ol>
      <div className={styles.buttons}>
        <Button look="primary" disabled={wrong || kept.length === 0} onClick={() => onShow(kept)}>
          Preview
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
  edit: Edit;
  problem: string | null;
  onEdit(change: Partial<Edit>): void;
}

function StepEdit({ edit: { step, text, kept }, problem, onEdit }: StepEditProps) {
  const field = useId();
  return (
    <li>
      <Check checked={kept} onChange={(event) => onEdit({ kept: event.target.checked })}>
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
        onChange={(event) => onEdit({ text: event.target.value })}
      />
      {kept && problem && (
        <p id={field} className={styles.wrong}>
          {problem}
        </p>
      )}
    </li>
  );
}
