/** What waits, put into classes: calls of one action that one rule asks about, for the same risks. Pure. */
import type { Shown } from '../actions/store';
import type { ActionRecord } from '../wire/gen/types';

/** Several requests that can be answered in one go. */
export interface CallClass {
  readonly key: string;
  readonly actionType: string;
  readonly rule: string;
  readonly records: readonly ActionRecord[];
}

/** The classes with at least two requests, in the order of their first. */
export function classesOf(waiting: readonly ActionRecord[]): CallClass[] {
  const classes = new Map<string, ActionRecord[]>();
  for (const record of waiting) {
    const key = keyOf(record);
    classes.set(key, [...(classes.get(key) ?? []), record]);
  }
  return [...classes]
    .filter(([, records]) => records.length > 1)
    .map(([key, records]) => {
      const [first] = records as [ActionRecord];
      return { key, actionType: first.envelope.action_type, rule: first.verdict.rule, records };
    });
}

function keyOf({ envelope, verdict }: ActionRecord): string {
  return [envelope.action_type, verdict.ruling, verdict.rule, [...envelope.risk_level].sort().join('+')].join(' ');
}

/** Binds each request to what is shown of it now. */
export function bind(records: readonly ActionRecord[]): Shown[] {
  return records.flatMap(({ envelope, approval_hash }) =>
    approval_hash ? [{ id: envelope.id, hash: approval_hash }] : [],
  );
}

/** Tells whether a request still waits with what was shown of it. */
export function stillAsShown(bound: Shown, record: ActionRecord | undefined): boolean {
  return record?.state === 'awaiting_confirmation' && record.approval_hash === bound.hash;
}
