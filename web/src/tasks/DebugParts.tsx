import { type ReactNode, useState } from 'react';
import { Plain } from '../actions/Plain';
import { TextBlock } from '../ui/TextBlock';
import type { ActionRecord, ThreadId, ThreadWithEvents, TurnId } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { type PlannedStep, plannedIn } from './planner';
import styles from './Tasks.module.css';

/** A debug view, folded away until somebody wants it. */
export function DebugDetails({ children }: { children(open: boolean): ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.debug} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Debug view</summary>
      {children(open)}
    </details>
  );
}

/** A part of a debug view: its title, and a value as JSON. */
export function DebugPart({ title, value }: { title: string; value: unknown }) {
  return (
    <>
      <h3>{title}</h3>
      <TextBlock>
        <Plain text={JSON.stringify(value, null, 1)} />
      </TextBlock>
    </>
  );
}

/** The raw answers of the model in some turns, step by step. */
export function PlannerOutput({ thread, turns }: { thread: ThreadId; turns: readonly TurnId[] }) {
  const { data } = useResource<ThreadWithEvents>(`threads/${encodeURIComponent(thread)}`);
  return <PlannedSteps steps={data ? plannedIn(data.events, turns) : []} />;
}

/** The same of answers that are known. */
export function PlannedSteps({ steps }: { steps: readonly PlannedStep[] }) {
  return (
    <DebugPart title={`Planner output (${steps.length} ${steps.length === 1 ? 'step' : 'steps'})`} value={steps} />
  );
}

/** The calls of the catalog, then the envelopes of everything else, each with its step. */
export function CatalogAndEnvelopes({ records }: { records: readonly ActionRecord[] }) {
  const lookups = records.filter((record) => record.envelope.action_type.startsWith('catalog.'));
  return (
    <>
      <Envelopes title="Catalog calls" records={lookups} />
      <Envelopes title="Envelopes" records={records.filter((record) => !lookups.includes(record))} />
    </>
  );
}

function Envelopes({ title, records }: { title: string; records: readonly ActionRecord[] }) {
  const shown = records.map(({ envelope, state, origin }) => ({
    ...(origin.kind === 'turn' && { step: origin.step }),
    ...envelope,
    state,
  }));
  return <DebugPart title={`${title} (${records.length})`} value={shown} />;
}
