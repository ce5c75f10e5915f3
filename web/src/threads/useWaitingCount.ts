import { useActions } from '../actions/store';
import type { ActionId } from '../wire/gen/types';

/** How many of some actions wait for a person. */
export function useWaitingCount(ids: readonly ActionId[]): number {
  return useActions(({ records }) => ids.filter((id) => records.get(id)?.state === 'awaiting_confirmation').length);
}
