import { useState } from 'react';
import { Plain } from '../actions/Plain';
import { TextBlock } from '../ui/TextBlock';
import type { ActionId, ActionRecord, TaskDetail } from '../wire/gen/types';
import styles from './Tasks.module.css';
import { useRecords } from './useRecords';

/** The task as the server has it: its envelopes, and what was looked up in the catalog. */
export function DebugView({ detail }: { detail: TaskDetail }) {
  const { plan, task } = detail;
  const [open, setOpen] = useState(false);
  const actions = useRecords(actionsIn(detail), open);
  const lookups = actions.filter((record) => record.envelope.action_type.startsWith('catalog.'));
  return (
    <details className={styles.debug} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Debug view</summary>
      <Part title="Task" value={task} />
      {plan && <Part title="Plan" value={{ hash: plan.hash, completeness: plan.completeness, shown: plan.shown }} />}
      <Envelopes title="Catalog calls" records={lookups} />
      <Envelopes title="Envelopes" records={actions.filter((record) => !lookups.includes(record))} />
    </details>
  );
}

/** All that it did and looked up, in order. */
function actionsIn({ timeline, actions }: TaskDetail): ActionId[] {
  const named = [...timeline.map((entry) => entry.action), ...actions.map((record) => record.envelope.id)];
  return [...new Set(named.filter((id) => id !== undefined))];
}

function Envelopes({ title, records }: { title: string; records: readonly ActionRecord[] }) {
  return (
    <Part
      title={`${title} (${records.length})`}
      value={records.map(({ envelope, state }) => ({ ...envelope, state }))}
    />
  );
}

function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <>
      <h4>{title}</h4>
      <TextBlock>
        <Plain text={JSON.stringify(value, null, 1)} />
      </TextBlock>
    </>
  );
}
