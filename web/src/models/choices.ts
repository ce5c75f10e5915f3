/** The rows from which a model is chosen: what was found, by provider, as far as it has the words that were typed. Pure. */
import { modelName } from '../threads/words';
import type { ModelRef, ModelStatus, Models, ProviderStatus } from '../wire/gen/types';

/** One row. A heading can't be chosen. */
export type Row =
  | { readonly kind: 'heading'; readonly id: string; readonly words: string }
  | { readonly kind: 'model'; readonly id: string; readonly provider: ProviderStatus; readonly model: ModelStatus }
  /** A provider that has not been asked for its models. */
  | { readonly kind: 'list'; readonly id: string; readonly provider: ProviderStatus }
  /** A provider that can't be used as it is. */
  | { readonly kind: 'blocked'; readonly id: string; readonly provider: ProviderStatus; readonly why: string };

/** The rows for a query. Without one, the models that were used lately are first. */
export function rowsFor(models: Models, query: string, recent: readonly ModelRef[] = []): Row[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const late = words.length === 0 ? recentRows(models, recent) : [];
  const usable = models.providers.filter((provider) => !provider.problem || provider.models.length > 0);
  const blocked = models.providers.filter((provider) => !usable.includes(provider));
  return [
    ...section('Recently used', 'recent', late),
    ...usable.flatMap((provider) => section(provider.name, provider.id, rowsOf(provider, words))),
    ...section(
      'Not ready',
      'blocked',
      blocked.flatMap((provider) => blockedRow(provider, words)),
    ),
  ];
}

/** The row that has the keyboard at first: the model that is in use, else the first that can be chosen. */
export function firstRow(rows: readonly Row[], chosen: ModelRef | null): number {
  const used = rows.findIndex((row) => row.kind === 'model' && row.model.model === chosen);
  return used >= 0 ? used : step(rows, -1, 1);
}

/** The next row that can be chosen, from `at` in the direction of `by`; past an end it goes on at the other. */
export function step(rows: readonly Row[], at: number, by: 1 | -1): number {
  for (let next = at + by, tried = 0; tried < rows.length; next += by, tried++) {
    const index = (next + rows.length) % rows.length;
    if (rows[index]?.kind !== 'heading') return index;
  }
  return -1;
}

/** Tells whether what is sent to a model stays on this machine. */
export function isHere(provider: ProviderStatus, model: ModelStatus): boolean {
  return provider.local && !model.elsewhere;
}

/** What a model can, in words; what its provider does not say is left out. */
export function abilities({ tools, vision, thinking }: ModelStatus): string[] {
  const words = [tools === true && 'tools', tools === false && 'no tools', vision && 'vision', thinking && 'thinking'];
  return words.filter((word) => typeof word === 'string');
}

/** "128k", "1M"; empty if it is not known. */
export function contextWords(tokens: number | null): string {
  if (tokens === null) return '';
  if (tokens >= 1_000_000) return `${trimmed(tokens / 1_000_000)}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(tokens);
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

function section(words: string, id: string, rows: readonly Row[]): Row[] {
  return rows.length === 0 ? [] : [{ kind: 'heading', id: `heading ${id}`, words }, ...rows];
}

function rowsOf(provider: ProviderStatus, words: readonly string[]): Row[] {
  const rows = provider.models.filter((model) => fits(wordsOf(provider, model), words));
  if (rows.length > 0 || provider.models.length > 0) {
    return rows.map((model) => ({ kind: 'model', id: model.model, provider, model }));
  }
  return fits(`${provider.name} ${provider.id}`, words) ? [{ kind: 'list', id: `list ${provider.id}`, provider }] : [];
}

function blockedRow(provider: ProviderStatus, words: readonly string[]): Row[] {
  if (!provider.problem || !fits(`${provider.name} ${provider.id}`, words)) return [];
  return [{ kind: 'blocked', id: `blocked ${provider.id}`, provider, why: provider.problem }];
}

function recentRows(models: Models, recent: readonly ModelRef[]): Row[] {
  return recent.flatMap((name): Row[] => {
    for (const provider of models.providers) {
      const model = provider.models.find((each) => each.model === name);
      if (model) return [{ kind: 'model', id: `recent ${name}`, provider, model }];
    }
    return [];
  });
}

/** What can be typed to find a model. */
function wordsOf(provider: ProviderStatus, model: ModelStatus): string {
  const place = isHere(provider, model) ? 'local on this computer' : 'remote';
  // Who types "tools" wants none without.
  const can = abilities(model).filter((ability) => ability !== 'no tools');
  return [modelName(model.model), provider.name, provider.id, ...can, place].join(' ');
}

function fits(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
