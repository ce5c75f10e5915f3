import { useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { readAction, useActions } from '../actions/store';
import type { ActionId, ActionRecord } from '../wire/gen/types';

/** The records of actions, as far as they are known; those that are not are read once they are wanted. */
export function useRecords(ids: readonly ActionId[], wanted: boolean): readonly ActionRecord[] {
  const key = ids.join(' ');
  useEffect(() => {
    if (!wanted) return;
    const { records } = useActions.getState();
    for (const id of key.split(' ').filter(Boolean)) if (!records.has(id)) void readAction(id);
  }, [key, wanted]);
  return useActions(useShallow(({ records }) => ids.flatMap((id) => records.get(id) ?? [])));
}
