import { useCallback, useEffect, useRef, useState } from 'react';
import { connection } from '../wire/connection';
import type { Failure, ListedTasks, Task, TaskDetail } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { useResource } from '../wire/resource';
import { taskPath } from './following';
import { learnTasks } from './known';
import { freshened, joined, NO_PAGES, type TaskPages, told } from './pages';
import { type TaskSearch, wanted } from './search';

/** What is known of the tasks that a search means. */
export interface TaskList {
  readonly tasks: readonly Task[];
  readonly loading: boolean;
  readonly failure: Failure | undefined;
  /** There is nothing older. */
  readonly end: boolean;
  /** Reads older ones. */
  more(): void;
  /** Reads the newest again. */
  again(): void;
}

/** Reads the tasks that a search means: all that are under way, and the rest page by page. */
export function useTasks(search: TaskSearch): TaskList {
  const paths = wanted(search);
  const open = useResource<ListedTasks>(paths.open);
  const over = useOver(paths.over);
  useEffect(() => learnTasks(...(open.data?.tasks ?? [])), [open.data]);
  return {
    tasks: [...(open.data?.tasks ?? []), ...over.pages.tasks.values()],
    loading: open.loading || over.loading,
    failure: open.failure ?? over.failure,
    end: over.pages.end,
    more: over.more,
    again: () => {
      open.reload();
      over.again();
    },
  };
}

/** Those that are over; null as a path reads nothing. */
function useOver(path: string | null) {
  const [pages, setPages] = useState(NO_PAGES);
  const [loading, setLoading] = useState(path !== null);
  const [failure, setFailure] = useState<Failure>();
  const reading = useRef<AbortController | null>(null);
  const read = useCallback(
    async (before: string | null, take: (page: readonly Task[]) => (now: TaskPages) => TaskPages) => {
      reading.current?.abort();
      const mine = new AbortController();
      reading.current = mine;
      if (path === null) {
        setPages(NO_PAGES);
        return setLoading(false);
      }
      setLoading(true);
      try {
        const { tasks: page } = await request<ListedTasks>(
          'GET',
          `${path}${before ? `&before=${before}` : ''}`,
          undefined,
          mine.signal,
        );
        learnTasks(...page);
        setFailure(undefined);
        setPages(take(page));
      } catch (error) {
        if (mine.signal.aborted) return;
        setFailure(failureOf(error));
      }
      if (reading.current === mine) setLoading(false);
    },
    [path],
  );
  const again = useCallback(() => void read(null, (page) => (now) => freshened(now, page)), [read]);
  useEffect(() => {
    // What was found before stays until the answer is there.
    void read(null, (page) => () => joined(NO_PAGES, page));
    return () => reading.current?.abort();
  }, [read]);
  useNews(again, (task) => setPages((now) => told(now, task)));
  const before = pages.before;
  return { pages, loading, failure, again, more: () => void read(before, (page) => (now) => joined(now, page)) };
}

/** Calls `end` when a task may have come to its end, and `take` with one that was told anew. */
function useNews(end: () => void, take: (task: Task) => void): void {
  const latest = useRef({ end, take });
  latest.current = { end, take };
  useEffect(() => {
    const stops = [
      connection.on('hello', () => latest.current.end()),
      connection.on('task_changed', ({ task }) => {
        latest.current.take(task);
        if (!ENDS.has(task.state)) return;
        latest.current.end();
        // An undo of a task changes that one too.
        if (task.source.kind === 'undo') void readAnew(task.source.task).then((one) => one && latest.current.take(one));
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
}

const ENDS: ReadonlySet<Task['state']> = new Set(['completed', 'failed', 'cancelled']);

async function readAnew(id: Task['id']): Promise<Task | null> {
  const detail = await request<TaskDetail>('GET', taskPath(id)).catch(() => null);
  return detail?.task ?? null;
}
