import { create } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ActionId, ActionRecord, Decision } from '../wire/gen/types';
import { openParts } from './card';

/** The rows that a person has unchecked, by the action: they stay unchecked when the table is shown again. */
const useUnchecked = create<ReadonlyMap<ActionId, readonly number[]>>(() => new Map());

/** Tells whether a row is checked. */
export function useIsChecked(record: ActionRecord, part: number): boolean {
  return useUnchecked((state) => !state.get(record.envelope.id)?.includes(part));
}

/** Checks or unchecks a row. */
export function toggleRow(record: ActionRecord, part: number): void {
  const key = record.envelope.id;
  useUnchecked.setState((state) => {
    const before = state.get(key) ?? [];
    const after = before.includes(part) ? before.filter((other) => other !== part) : [...before, part];
    return new Map(state).set(key, after);
  }, true);
}

/** The parts that *Submit* is about: none are named where all rows are checked, or where there are no checkboxes. */
export function useChecked(record: ActionRecord): Pick<Decision, 'parts'> {
  const unchecked = useUnchecked(useShallow((state) => state.get(record.envelope.id) ?? []));
  const body = record.preview?.body;
  if (body?.kind !== 'rows') return {};
  const stale = body.rows.filter((row) => row.problem).map((row) => row.part);
  const left = [...unchecked, ...stale];
  return left.length === 0 ? {} : { parts: openParts(record).filter((part) => !left.includes(part)) };
}
