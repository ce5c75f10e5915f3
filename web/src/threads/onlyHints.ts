import { useAiLevel } from '../assistant/level';
import type { ThreadId } from '../wire/gen/types';
import { useThreads } from './state';

/** Whether nothing is changed or run in a thread: it is one of hints, or AI explains and hints only here. */
export function useOnlyHints(thread: ThreadId | null): boolean {
  const partial = useAiLevel() === 'partial';
  const hint = useThreads((state) => (thread ? state.threads.get(thread)?.hint : false));
  return partial || hint === true;
}
