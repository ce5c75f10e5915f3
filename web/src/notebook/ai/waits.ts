// Whether the answer of an AI cell waits for a person.
import { useActions } from '../../actions/store';
import { isUnderWay } from '../runs';
import { useRun } from '../view';
import { openAction } from './answer';

/** Tells whether it stands at an action that a person has to decide. */
export function useWaits(cellKey: string, kind: string): boolean {
  const run = useRun(cellKey);
  const action = kind === 'ai' && isUnderWay(run) ? openAction(run?.outputs ?? []) : null;
  return useActions(({ records }) => action !== null && records.get(action)?.state === 'awaiting_confirmation');
}
