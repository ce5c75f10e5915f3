/** What was found of a model, and whether it may be called. Pure. */
import type { ModelRef, ModelStatus, Models, ProviderStatus } from '../wire/gen/types';

/** A model with the provider it belongs to. */
export function findModel(models: Models, model: ModelRef): { provider: ProviderStatus; model: ModelStatus } | null {
  for (const provider of models.providers) {
    const found = provider.models.find((each) => each.model === model);
    if (found) return { provider, model: found };
  }
  return null;
}

/** What a person has to allow before something is sent. */
export interface Asked {
  /** The provider's id. */
  readonly provider: string;
  /** Its name for people. */
  readonly name: string;
  /** Where content would go: `HOST` or `HOST:PORT`. */
  readonly host: string;
}

/** What has to be allowed before a model may be called; null if nothing has, or nothing is known of it. */
export function neededFor(models: Models, model: ModelRef): Asked | null {
  const found = findModel(models, model);
  const provider = found?.provider ?? models.providers.find(({ id }) => model.startsWith(`${id}/`));
  const { consent, host } = found?.model ?? provider ?? {};
  if (!provider || consent !== 'needed' || !host) return null;
  return { provider: provider.id, name: provider.name, host };
}
