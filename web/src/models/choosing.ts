/** Choosing a model, and looking for others. */
import { doAction } from '../app/actionFlow';
import { setModelOf } from '../threads/send';
import { useSending } from '../threads/sending';
import { toastFailure } from '../ui/Toast';
import type { ModelRef, Models, ProviderStatus, ThreadId } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidate } from '../wire/resource';

/** Makes a model answer in a thread from now on, or in the one that is begun next; others keep theirs. */
export async function setThreadModel(model: ModelRef, thread: ThreadId | null): Promise<void> {
  useSending.setState({ held: null });
  if (thread) await setModelOf(thread, model);
  else useSending.setState({ newModel: model });
}

/** Makes a model the one that new threads begin with. */
export async function setNewModel(model: ModelRef): Promise<void> {
  if (await doAction({ action_type: 'model.choose', args: { model } })) useSending.setState({ newModel: null });
  invalidate('models');
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
