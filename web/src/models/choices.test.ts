import { describe, expect, it } from 'vitest';
import type { ModelStatus, Models, ProviderStatus } from '../wire/gen/types';
import { abilities, contextWords, firstRow, rowsFor, step } from './choices';

const model = (name: string, part: Partial<ModelStatus> = {}): ModelStatus => ({
  model: name,
  tools: null,
  vision: null,
  thinking: null,
  context: null,
  elsewhere: false,
  host: null,
  consent: 'not_needed',
  price: null,
  ...part,
});
const provider = (id: string, part: Partial<ProviderStatus>): ProviderStatus => ({
  id,
  name: id,
  local: false,
  pulls: false,
  set_up: true,
  asked: false,
  list_problem: null,
  endpoint: '',
  problem: null,
  models: [],
  host: null,
  consent: 'not_needed',
  key: 'none',
  takes_key: false,
  off: false,
  ...part,
});

const MODELS: Models = {
  providers: [
    provider('ollama', {
      name: 'Ollama',
      local: true,
      models: [model('ollama/qwen3:8b', { tools: true }), model('ollama/old', { tools: false })],
    }),
    provider('openai', { name: 'OpenAI', problem: 'no key' }),
    provider('anthropic', { name: 'Anthropic', models: [model('anthropic/sonnet', { tools: true, vision: true })] }),
    provider('openrouter', { name: 'OpenRouter' }),
  ],
  chosen: 'ollama/qwen3:8b',
  ollama: 'ready',
  local_only: { on: false, forced: false },
  outside_problem: null,
};

const ids = (query: string, recent: string[] = []) => rowsFor(MODELS, query, recent).map((row) => row.id);

describe('rowsFor', () => {
  it('lists what can be used by provider, then what can not be used yet', () => {
    expect(ids('')).toEqual([
      'heading ollama',
      'ollama/qwen3:8b',
      'ollama/old',
      'heading anthropic',
      'anthropic/sonnet',
      'heading openrouter',
      'list openrouter',
      'heading blocked',
      'blocked openai',
    ]);
  });

  it('finds by name, provider, capability and place, all words together', () => {
    const found = (query: string) => ids(query).filter((id) => !id.startsWith('heading'));
    expect(found('SONNET')).toEqual(['anthropic/sonnet']);
    expect(found('tools')).toEqual(['ollama/qwen3:8b', 'anthropic/sonnet']);
    expect(found('local tools')).toEqual(['ollama/qwen3:8b']);
    expect(found('openai')).toEqual(['blocked openai']);
    expect(found('nothing like it')).toEqual([]);
  });

  it('begins with what was used lately, as far as it is still there', () => {
    expect(ids('', ['anthropic/sonnet', 'gone/model']).slice(0, 3)).toEqual([
      'heading recent',
      'recent anthropic/sonnet',
      'heading ollama',
    ]);
    expect(ids('old', ['anthropic/sonnet'])).toEqual(['heading ollama', 'ollama/old']);
  });
});

it('goes from row to row over the headings, and round', () => {
  const rows = rowsFor(MODELS, '');
  expect(firstRow(rows, 'anthropic/sonnet')).toBe(4);
  expect(firstRow(rows, 'gone/model')).toBe(1);
  expect(step(rows, 2, 1)).toBe(4);
  expect(step(rows, 1, -1)).toBe(8);
  expect(step(rows, 8, 1)).toBe(1);
  expect(step([], -1, 1)).toBe(-1);
});

it('says what a model can and how much it can read', () => {
  expect(abilities(model('a/b', { tools: false, thinking: true }))).toEqual(['no tools', 'thinking']);
  expect([null, 900, 8192, 131072, 1_048_576, 2_000_000].map(contextWords)).toEqual([
    '',
    '900',
    '8k',
    '131k',
    '1M',
    '2M',
  ]);
});
