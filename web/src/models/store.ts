/** Which models there are, and which one answers. Choosing another is choosing.ts. */

import { useSending } from '../threads/sending';
import { useThreads } from '../threads/state';
import { useConnection } from '../wire/connection';
import type { ModelRef, Models, ThreadId } from '../wire/gen/types';
import { type Resource, useResource } from '../wire/resource';

/** What was found, read once the server answers. */
export function useModels(): Resource<Models> {
  const online = useConnection((state) => state.status === 'online');
  return useResource<Models>(online ? 'models' : null);
}

/** The model that would answer in a thread now; null if there is none, undefined if that is not known yet. */
export function useModelOf(thread: ThreadId | null): ModelRef | null | undefined {
  const { data } = useModels();
  const own = useThreads((state) => (thread ? state.threads.get(thread)?.model : undefined));
  const next = useSending((state) => state.newModel);
  return own ?? (thread ? null : next) ?? data?.chosen;
}
