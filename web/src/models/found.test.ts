import { expect, it } from 'vitest';
import type { ModelStatus, Models, ProviderStatus } from '../wire/gen/types';
import { neededFor, pullersOf, warningOf } from './found';

const model = (name: string, part: Partial<ModelStatus> = {}) =>
  ({ model: name, consent: 'not_needed', host: null, ...part }) as ModelStatus;
const provider = (id: string, part: Partial<ProviderStatus>) =>
  ({ id, name: id, models: [], consent: 'not_needed', host: null, ...part }) as ProviderStatus;
const models = (...providers: ProviderStatus[]) => ({ providers }) as unknown as Models;

it('a remote provider needs consent before listing', () => {
  const found = models(provider('openai', { name: 'OpenAI', consent: 'needed', host: 'api.openai.com' }));
  expect(neededFor(found, 'openai/gpt-5')).toEqual({ provider: 'openai', name: 'OpenAI', host: 'api.openai.com' });
});

it('a local provider’s remote model needs consent', () => {
  const cloud = model('ollama/big-cloud', { consent: 'needed', host: 'ollama.com' });
  const found = models(provider('ollama', { models: [model('ollama/qwen3'), cloud] }));
  expect(neededFor(found, 'ollama/big-cloud')?.host).toBe('ollama.com');
  expect(neededFor(found, 'ollama/qwen3')).toBeNull();
});

it('allowed and unknown models need no consent', () => {
  const given = models(provider('openai', { consent: 'given', host: 'api.openai.com' }));
  expect(neededFor(given, 'openai/gpt-5')).toBeNull();
  expect(neededFor(given, 'other/model')).toBeNull();
});

it('warns of missing models and tools', () => {
  const found = models(
    provider('ollama', { name: 'Ollama', local: true, models: [model('ollama/old', { tools: false })] }),
    provider('openai', { problem: 'No key.' }),
    provider('openrouter', {}),
  );
  expect(warningOf(found, 'gone/model')).toMatch(/^gone\/model is not set up/);
  expect(warningOf(found, 'openai/gpt-5')).toBe('No key.');
  expect(warningOf(found, 'ollama/pulled-away')).toBe('Ollama no longer has ollama/pulled-away.');
  expect(warningOf(found, 'ollama/old')).toMatch(/^This model does not support tools/);
  expect(warningOf(found, 'openrouter/not/listed')).toBeNull();
});

it('local Ollama servers come before remote ones', () => {
  const ollama = (id: string, part: Partial<ProviderStatus>) => provider(id, { pulls: true, ...part });
  const found = models(
    ollama('ollama', { local: true, problem: 'Start it.' }),
    ollama('attic', { host: '10.0.0.6:11434' }),
    provider('lab', { local: true }),
    ollama('desk', { local: true }),
  );
  expect(pullersOf(found).map(({ id }) => id)).toEqual(['desk', 'attic']);
});
