import type { ActionId, TaskDetail } from '../wire/gen/types';
import { CatalogAndEnvelopes, DebugDetails, DebugPart, PlannerOutput } from './DebugParts';
import { useRecords } from './useRecords';

/** The task as the server has it: the raw output of its planner, what was looked up in the catalog, and its envelopes. */
export function DebugView({ detail }: { detail: TaskDetail }) {
  return <DebugDetails>{(open) => <Parts detail={detail} open={open} />}</DebugDetails>;
}

function Parts({ detail, open }: { detail: TaskDetail; open: boolean }) {
  const { plan, task } = detail;
  const actions = useRecords(actionsIn(detail), open);
  return (
    <>
      <DebugPart title="Task" value={task} />
      {plan && (
        <DebugPart title="Plan" value={{ hash: plan.hash, completeness: plan.completeness, shown: plan.shown }} />
      )}
      {open && task.thread && <PlannerOutput thread={task.thread} turns={task.turns} />}
      <CatalogAndEnvelopes records={actions} />
    </>
  );
}

/** All that it did and looked up, in order. */
function actionsIn({ timeline, actions }: TaskDetail): ActionId[] {
  const named = [...timeline.map((entry) => entry.action), ...actions.map((record) => record.envelope.id)];
  return [...new Set(named.filter((id) => id !== undefined))];
}
