import { expect, test } from 'vitest';
import { endWords, leftOutWords, modelName, progressWords, readyWords } from './words';

test('models have their name without the provider', () => {
  expect(['rehearsal/tour', 'ollama/qwen2.5-coder:7b', 'openai/org/gpt'].map(modelName)).toEqual([
    'rehearsal',
    'qwen2.5-coder:7b',
    'org/gpt',
  ]);
});

test('says what the model was not given', () => {
  const nothing = { messages: 0, shortened: 0, tokens_before: 100, tokens_after: 100 };
  expect(leftOutWords(nothing)).toBeNull();
  expect(leftOutWords({ messages: 12, shortened: 1, tokens_before: 44_000, tokens_after: 30_100 })).toBe(
    'To fit the model’s context window, 12 older messages were left out, and 1 long result was shortened (about 44k tokens to 30k). You still see everything.',
  );
});

test('names the settings of the context window', () => {
  const left = { messages: 1, shortened: 0, tokens_before: 44_000, tokens_after: 30_100, window: 32_768 };
  expect(leftOutWords(left)).toContain(
    'Its context window is 33k tokens. Set OLLAMA_CONTEXT_LENGTH, or window in services.toml',
  );
});

test('says what is going on', () => {
  const step = (text: string, askedAgainIn: number | null) => ({ text: { text, early: [] }, askedAgainIn });
  expect(progressWords(1, null)).toBe('Working…');
  expect(progressWords(3, step('', null))).toBe('Working, step 3…');
  expect(progressWords(3, step('So', null))).toBe('Writing…');
  expect(progressWords(1, step('', 40))).toBe('Service busy. Retrying in 40 s…');
});

test('an unfinished end offers to continue', () => {
  expect(endWords({ kind: 'done' })).toBeNull();
  expect(endWords({ kind: 'step_limit', steps: 12 })).toMatchObject({
    offer: 'continue',
    text: 'Stopped at the limit of 12 steps.',
  });
  expect(
    endWords({ kind: 'out_of_budget', limit: 'steps', steps: 12, done: 3, left: 'open the report' }),
  ).toMatchObject({
    offer: 'continue',
    text: expect.stringMatching(/^Stopped at the limit of 12 steps: 3 done, left: .*open the report\.$/i),
  });
  const failure = { code: 'http', message: 'Ollama answered 500.', hint: 'Is the model pulled?', data: null };
  expect(endWords({ kind: 'failed', failure })).toEqual({
    text: 'Ollama answered 500.',
    detail: 'Is the model pulled?',
    offer: 'retry',
    tone: 'err',
  });
});

test('hand-off says why and offers the way', () => {
  const grant = { id: null, within: [], name: 'Navigator', risks: [], paths: [] };
  const offer = { reason: 'many edits', summary: 'Port it.', objects: [], waiting: [], grant };
  expect(endWords({ kind: 'hand_off', offer })).toEqual({
    text: 'Needs the coding agent: many edits',
    detail: 'Port it.',
    offer: 'hand_off',
    tone: 'warn',
  });
});

test('an end by a setting leads there', () => {
  const offer = (code: string) => endWords({ kind: 'failed', failure: { code, message: 'No.', data: null } })?.offer;
  expect(['needs_consent', 'local_only', 'spending_limit', 'price_unknown', 'provider_busy'].map(offer)).toEqual([
    'allow',
    'settings',
    'settings',
    'settings',
    'retry',
  ]);
});

test('counts the words of an answer', () => {
  expect([readyWords(' one two\nthree '), readyWords('one'), readyWords('')]).toEqual([
    'Answer ready, 3 words',
    'Answer ready, 1 word',
    'Answer ready',
  ]);
});
