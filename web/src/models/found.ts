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
  const provider = providerOf(models, model);
  const { consent, host } = findModel(models, model)?.model ?? provider ?? {};
  if (!provider || consent !== 'needed' || !host) return null;
  return { provider: provider.id, name: provider.name, host };
}

/** What a person should know of a model before a message is sent; null if there is nothing. */
export function warningOf(models: Models, model: ModelRef): string | null {
  const provider = providerOf(models, model);
  if (!provider) return `${model} is not set up. Choose another model.`;
  if (provider.problem) return provider.problem;
  const found = findModel(models, model);
  // Who was not asked for a list, or is not on this machine, may have it all the same.
  if (!found && provider.local && provider.models.length > 0) return `${provider.name} no longer has ${model}.`;
  return found?.model.tools === false ? NO_TOOLS : null;
}

const NO_TOOLS = 'This model does not support tools, so its answers may not be based on your files.';

/** The Ollama servers that models can be got for now, those on this machine first. */
export function pullersOf({ providers }: Models): ProviderStatus[] {
  const ready = providers.filter(({ pulls, problem, off }) => pulls && !problem && !off);
  return [...ready.filter(({ local }) => local), ...ready.filter(({ local }) => !local)];
}

function providerOf(models: Models, model: ModelRef): ProviderStatus | undefined {
  return models.providers.find(({ id }) => model.startsWith(`${id}/`));
}
