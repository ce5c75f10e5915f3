import { Plain } from '../actions/Plain';
import { TextBlock } from '../ui/TextBlock';
import type { ActionRecord, TaskDetail } from '../wire/gen/types';
import styles from './Tasks.module.css';

/** The task as the server has it: its envelopes, and what was looked up in the catalog. */
export function DebugView({ detail }: { detail: TaskDetail }) {
  const { actions, plan, task } = detail;
  const lookups = actions.filter((record) => record.envelope.action_type.startsWith('catalog.'));
  return (
    <details className={styles.debug}>
      <summary>Debug view</summary>
      <Part title="Task" value={task} />
      {plan && <Part title="Plan" value={{ hash: plan.hash, completeness: plan.completeness, shown: plan.shown }} />}
      <Envelopes title="Catalog calls" records={lookups} />
      <Envelopes title="Envelopes" records={actions.filter((record) => !lookups.includes(record))} />
    </details>
  );
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
