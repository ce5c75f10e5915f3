import { expect, test } from 'vitest';
import type { Usage } from '../wire/gen/types';
import { endWords, modelName, readyWords, usageWords } from './words';

const USAGE: Usage = {
  input: 1204,
  output: 87,
  cache_read: null,
  cache_write: null,
  cache_write_hour: null,
  reasoning: null,
};

test('the rehearsal is called so, other models by their own name', () => {
  expect(['rehearsal/tour', 'ollama/qwen2.5-coder:7b', 'openai/org/gpt'].map(modelName)).toEqual([
    'rehearsal',
    'qwen2.5-coder:7b',
    'org/gpt',
  ]);
});

test('says what was counted, and nothing where nothing was', () => {
  expect(usageWords(USAGE)).toBe('1,204 tokens in, 87 out');
  expect(usageWords({ ...USAGE, cache_read: 1000, output: null })).toBe('1,204 tokens in (1,000 cached), ? out');
  expect(usageWords({ ...USAGE, input: null, output: null })).toBeNull();
});

test('an end that leaves something to do offers it', () => {
  expect(endWords({ kind: 'done' })).toBeNull();
  expect(endWords({ kind: 'step_limit', steps: 12 })).toMatchObject({
    offer: 'continue',
    text: 'Stopped after 12 steps, its limit.',
  });
  const failure = { code: 'http', message: 'Ollama answered 500.', hint: 'Is the model pulled?', data: null };
  expect(endWords({ kind: 'failed', failure })).toEqual({
    text: 'Ollama answered 500.',
    detail: 'Is the model pulled?',
    offer: 'retry',
    tone: 'err',
  });
});

test('counts the words of an answer', () => {
  expect([readyWords(' one two\nthree '), readyWords('one'), readyWords('')]).toEqual([
    'Answer ready, 3 words',
    'Answer ready, 1 word',
    'Answer ready',
  ]);
});
