/** Which models there are, which one answers, and choosing another. */

import { changeThread, useSending } from '../threads/send';
import { useThreads } from '../threads/store';
import { toastFailure } from '../ui/Toast';
import { useConnection } from '../wire/connection';
import type { ChooseModel, ModelRef, Models, ProviderStatus, ThreadId } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidate, type Resource, useResource } from '../wire/resource';

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

/** Makes a model answer in a thread from now on, or in the one that is begun next; others keep theirs. */
export async function setThreadModel(model: ModelRef, thread: ThreadId | null): Promise<void> {
  useSending.setState({ held: null });
  if (thread) await changeThread(thread, { model });
  else useSending.setState({ newModel: model });
}

/** Makes a model the one that new threads begin with. */
export async function setNewModel(model: ModelRef): Promise<void> {
  try {
    await request('PUT', 'models/chosen', { model } satisfies ChooseModel);
    useSending.setState({ newModel: null });
    invalidate('models');
  } catch (error) {
    toastFailure(failureOf(error));
  }
}

/** Looks again for what runs on this machine and what keys there are. */
export function lookAgain(): void {
  invalidate('models');
}

/** Asks a provider that is not on this machine for its models; that is not done unasked. Null if it could not be asked. */
export async function listModels(provider: string): Promise<ProviderStatus | null> {
  try {
    const models = await request<Models>('GET', `models?fetch=${encodeURIComponent(provider)}`);
    return models.providers.find(({ id }) => id === provider) ?? null;
  } catch (error) {
    toastFailure(failureOf(error));
    return null;
  } finally {
    invalidate('models');
  }
}
