/**
 * What this window knows of tasks that it does not show: what they are for, and which one a turn belongs to.
 *
 * A tab is named before its page is read, and a turn leads to its task; neither needs all of a task.
 */
import { useEffect } from 'react';
import { create } from 'zustand';
import { connection, useConnection } from '../wire/connection';
import type { ActionId, ListedTasks, Task, TaskDetail, TaskId, ThreadId, TurnId } from '../wire/gen/types';
import { request } from '../wire/requests';

interface Known {
  readonly goals: ReadonlyMap<TaskId, string>;
  readonly ofTurns: ReadonlyMap<TurnId, TaskId>;
  /** By the action that started a script. */
  readonly ofActions: ReadonlyMap<ActionId, TaskId>;
}

const useKnown = create<Known>(() => ({ goals: new Map(), ofTurns: new Map(), ofActions: new Map() }));

/** Takes in tasks that came from the server. */
export function learnTasks(...tasks: readonly Task[]): void {
  useKnown.setState((known) => after(known, tasks));
}

/** What is known after some tasks were seen. Pure. */
export function after(known: Known, tasks: readonly Task[]): Known {
  const goals = new Map(known.goals);
  const ofTurns = new Map(known.ofTurns);
  const ofActions = new Map(known.ofActions);
  for (const { id, goal, turns, source } of tasks) {
    goals.set(id, goal);
    for (const turn of turns) ofTurns.set(turn, id);
    if (source.kind === 'script' && source.action) ofActions.set(source.action, id);
  }
  return { goals, ofTurns, ofActions };
}

/** What a task is for; null until that is known. It is read if nobody has said. */
export function useGoal(id: TaskId | null): string | null {
  const goal = useKnown((known) => (id === null ? null : (known.goals.get(id) ?? null)));
  const online = useConnection((state) => state.status === 'online');
  useEffect(() => {
    if (id === null || goal !== null || !online) return;
    const path = `tasks/${encodeURIComponent(id)}`;
    // A task that can't be read keeps the tab's general name; its page says why.
    request<TaskDetail>('GET', path).then(
      ({ task }) => learnTasks(task),
      () => {},
    );
  }, [id, goal, online]);
  return goal;
}

/** The task of a turn; null if it has none, or none is known yet. */
export function useTaskOfTurn(turn: TurnId): TaskId | null {
  return useKnown((known) => known.ofTurns.get(turn) ?? null);
}

/** The task of the script that an action started; null if it started none, or none is known yet. */
export function useTaskOfAction(action: ActionId): TaskId | null {
  return useKnown((known) => known.ofActions.get(action) ?? null);
}

/** Reads the tasks of a thread once it is shown, and again after the connection was lost. */
export function useTasksOf(thread: ThreadId | null): void {
  useEffect(() => {
    if (thread === null) return;
    const read = () =>
      void request<ListedTasks>('GET', `tasks?thread=${encodeURIComponent(thread)}`).then(
        ({ tasks }) => learnTasks(...tasks),
        () => {},
      );
    if (useConnection.getState().status === 'online') read();
    return connection.on('hello', read);
  }, [thread]);
}

connection.on('task_changed', ({ task }) => learnTasks(task));
