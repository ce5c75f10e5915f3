/** What running actions put out, as far as this window watches them. The whole is in an action's outcome. */
import { useEffect } from 'react';
import { create } from 'zustand';
import { connection } from '../wire/connection';
import type { ActionId } from '../wire/gen/types';
import { type Output, spliced } from './splice';

const useOutputs = create<{ readonly outputs: ReadonlyMap<ActionId, Output> }>(() => ({ outputs: new Map() }));

/** How many components watch each action. */
const watched = new Map<ActionId, number>();

connection.on('action_output', ({ action, offset, text }) => {
  if (!watched.has(action)) return;
  useOutputs.setState(({ outputs }) => ({
    outputs: new Map(outputs).set(action, spliced(outputs.get(action) ?? { text: '', from: 0 }, offset, text)),
  }));
});
connection.on('hello', () => {
  for (const action of watched.keys()) connection.send({ type: 'watch_action', action });
});

/** The output of a running action, while it is shown. */
export function useOutput(action: ActionId): Output | null {
  useEffect(() => {
    watch(action);
    return () => unwatch(action);
  }, [action]);
  return useOutputs((state) => state.outputs.get(action)) ?? null;
}

function watch(action: ActionId): void {
  const count = watched.get(action) ?? 0;
  watched.set(action, count + 1);
  if (count === 0) connection.send({ type: 'watch_action', action });
}

function unwatch(action: ActionId): void {
  const count = watched.get(action) ?? 1;
  if (count > 1) {
    watched.set(action, count - 1);
    return;
  }
  watched.delete(action);
  connection.send({ type: 'unwatch_action', action });
  useOutputs.setState(({ outputs }) => {
    const rest = new Map(outputs);
    rest.delete(action);
    return { outputs: rest };
  });
}
