import { useActions } from '../actions/store';
import type { ActionId, ActionRecord, TurnId } from '../wire/gen/types';

/** How many of some actions wait for a person, and of the calls of the scripts that a turn runs. */
export function useWaitingCount(ids: readonly ActionId[], turn: TurnId): number {
  return useActions(({ records }) => {
    const waits = (record: ActionRecord | undefined) => record?.state === 'awaiting_confirmation';
    const own = ids.filter((id) => waits(records.get(id)));
    return own.length + [...records.values()].filter((record) => waits(record) && isOfScript(record, turn)).length;
  });
}

function isOfScript({ origin }: ActionRecord, turn: TurnId): boolean {
  return origin.kind === 'script' && origin.by.kind === 'turn' && origin.by.turn === turn;
}
