// The threads in which AI cells are answered: which is whose, and its model.
import { useEffect } from 'react';
import { useThreads } from '../../threads/state';
import { learnThread } from '../../threads/store';
import { toastFailure } from '../../ui/Toast';
import type { AiCellAt, AiCellThread, ChangeThread, ModelRef, Thread, ThreadId } from '../../wire/gen/types';
import { failureOf, request } from '../../wire/requests';
import { invalidate, useResource } from '../../wire/resource';
import { useNotebook, useRun } from '../view';

/** Where the threads of a notebook's AI cells are read. */
const threadsOf = (path: string): string => `notebooks/ai-cells?path=${encodeURIComponent(path)}`;

/** The thread of an AI cell; null before it was first asked. */
export function useAiThread(cellKey: string): ThreadId | null {
  return useOwn(cellKey)?.id ?? null;
}

/** The model that was chosen for a cell; null for that of new threads. */
export function useCellModel(cellKey: string): ModelRef | null {
  const own = useOwn(cellKey);
  const newer = useThreads(({ threads }) => (own ? threads.get(own.id) : undefined));
  return (newer ?? own)?.model ?? null;
}

function useOwn(cellKey: string): Thread | null {
  const { path } = useNotebook();
  const run = useRun(cellKey);
  const { data } = useResource<AiCellThread[]>(threadsOf(path));
  const thread = data?.find(({ cell }) => cell === cellKey)?.thread ?? null;
  // A cell that runs has one, which was made after the list was read, soon after the run began.
  const missing = data !== undefined && thread === null && run?.execution ? run.execution.state : null;
  const threads = useThreads((state) => (missing === null ? 0 : state.threads.size));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread or another state is a reason to look again
  useEffect(() => {
    if (missing !== null) invalidate(threadsOf(path));
  }, [missing, threads, path]);
  return thread;
}

/** Makes a model answer in a cell from now on; other cells keep theirs. Tells whether that was taken. */
export async function setCellModel(path: string, cell: string, model: ModelRef): Promise<boolean> {
  try {
    const { thread } = await request<AiCellThread>('POST', 'notebooks/ai-cells', { path, cell } satisfies AiCellAt);
    learnThread(await request<Thread>('PATCH', `threads/${thread.id}`, { model } satisfies ChangeThread));
    invalidate(threadsOf(path));
    return true;
  } catch (error) {
    toastFailure(failureOf(error));
    return false;
  }
}
