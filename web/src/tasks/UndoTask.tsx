import { useMemo, useState } from 'react';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Check } from '../ui/Field';
import { Note } from '../ui/Note';
import type { Plan, Task } from '../wire/gen/types';
import { DryRun } from './DryRun';
import { undone } from './store';

/** Shows what taking a task back would do, what can't be taken back and why, before it is done. */
export function UndoTask({ task, onClose }: { task: Task; onClose(): void }) {
  const [partly, setPartly] = useState(false);
  const make = useMemo(() => undone(task.id, partly), [task.id, partly]);
  return (
    <Dialog title="Undo task" onClose={onClose}>
      <Note>Your later edits stay. The undo is a new task that you can undo too.</Note>
      <Check checked={partly} onChange={(event) => setPartly(event.target.checked)}>
        Undo only what can be undone
      </Check>
      <DryRun
        key={String(partly)}
        make={make}
        verb="Undo task"
        refuses={(plan) => (partly ? null : refusesHalf(plan))}
        onDone={onClose}
      >
        <Button onClick={onClose}>Cancel</Button>
      </DryRun>
    </Dialog>
  );
}

/** All of a task is taken back or, unless a person says otherwise, nothing. */
function refusesHalf({ steps }: Plan): string | null {
  const lost = steps.filter((step) => step.problem !== null).length;
  if (lost === 0) return null;
  const some = lost === 1 ? 'One step' : `${lost} steps`;
  return `${some} can’t be undone, so nothing will be. Select “Undo only what can be undone” to undo the rest.`;
}
