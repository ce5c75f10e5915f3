// Tabs follow files that are moved or renamed, whoever asked for it.
import { useActions } from '../actions/store';
import { change } from '../frames/store';
import { moveModes } from '../side/modes';
import type { ActionRecord } from '../wire/gen/types';

/** What tabs have to do about a record that is new or has changed. */
export interface Move {
  from: string;
  to: string;
}

/** Returns the move that a change of a record stands for. What ended before `since` is not news. Pure. */
export function moveIn(record: ActionRecord, before: ActionRecord | undefined, since: number): Move | null {
  if (record.envelope.action_type !== 'file.move' || record.state === before?.state) return null;
  if (!before && (record.ended ?? 0) < since) return null;
  const { from, to } = record.envelope.args as { from?: unknown; to?: unknown };
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  if (record.state === 'done') return { from, to };
  return record.state === 'undone' ? { from: to, to: from } : null;
}

/** Follows the records of actions; returns what ends it. */
export function followMoves(): () => void {
  const since = Date.now();
  return useActions.subscribe(({ records }, before) => {
    if (records === before.records) return;
    for (const [id, record] of records) {
      const was = before.records.get(id);
      const move = was === record ? null : moveIn(record, was, since);
      if (!move) continue;
      change({ type: 'renamed', ...move });
      moveModes(move.from, move.to);
    }
  });
}
