import { create } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ActionId, ActionRecord, Decision } from '../wire/gen/types';
import { openParts } from './card';

/** The rows that a person has unchecked, by the action and the hash of what was shown. */
const useUnchecked = create<ReadonlyMap<string, readonly number[]>>(() => new Map());

const keyOf = (id: ActionId, hash: string | null) => `${id}/${hash}`;

/** Tells whether a row is checked. */
export function useIsChecked(record: ActionRecord, part: number): boolean {
  const key = keyOf(record.envelope.id, record.approval_hash);
  return useUnchecked((state) => !state.get(key)?.includes(part));
}

/** Checks or unchecks a row. */
export function toggleRow(record: ActionRecord, part: number): void {
  const key = keyOf(record.envelope.id, record.approval_hash);
  useUnchecked.setState((state) => {
    const before = state.get(key) ?? [];
    const after = before.includes(part) ? before.filter((other) => other !== part) : [...before, part];
    return new Map(state).set(key, after);
  }, true);
}

/** The parts that *Submit* is about: none are named where all rows are checked, or where there are no checkboxes. */
export function useChecked(record: ActionRecord): Pick<Decision, 'parts'> {
  const key = keyOf(record.envelope.id, record.approval_hash);
  const unchecked = useUnchecked(useShallow((state) => state.get(key) ?? []));
  if (record.preview?.body.kind !== 'rows' || unchecked.length === 0) return {};
  return { parts: openParts(record).filter((part) => !unchecked.includes(part)) };
}
