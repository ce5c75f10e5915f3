import { expect, test } from 'vitest';
import type { MetaAgentLine } from '../wire/gen/types';
import { begun, chosenModel, conversation, evidenceOf, heard, likelyCalls, state, summary } from './answers';

const ts = '2026-01-01T00:00:00.000Z';

test('an answer grows line by line', () => {
  const lines: MetaAgentLine[] = [
    { type: 'tool_call', id: 'a', name: 'get_cost_summary', args: { period: 'all' }, ts },
    { type: 'tool_result', id: 'a', name: 'get_cost_summary', ok: true, data: { total: 5 }, duration_ms: 3, ts },
    { type: 'tool_call', id: 'a', name: 'list_recent_sessions', args: {}, ts },
    { type: 'token', delta: 'Five ', ts },
    { type: 'token', delta: 'dollars.', ts },
    { type: 'done', hops: 2, ts },
  ];
  const whole = lines.reduce(heard, begun('what did I spend?'));
  expect([whole.text, whole.ended, whole.error]).toEqual(['Five dollars.', true, undefined]);
  expect(whole.asked.map(state)).toEqual(['done, 3 ms', 'running…']);
  expect(whole.asked.map(summary)).toEqual(['period: all', '']);
  expect(conversation([whole, { ...begun('again'), error: 'no' }])).toEqual([
    { role: 'user', content: 'what did I spend?' },
    { role: 'assistant', content: 'Five dollars.' },
  ]);
});

test('text after a tool call starts a paragraph', () => {
  const token = (delta: string): MetaAgentLine => ({ type: 'token', delta, ts });
  const call: MetaAgentLine = { type: 'tool_call', id: 'a', name: 'list_recent_sessions', args: {}, ts };
  const { text } = [call, token('Let me'), token(' see.'), call, call, token('Two'), token('.')].reduce(
    heard,
    begun('x'),
  );
  expect(text).toBe('Let me see.\n\nTwo.');
});

test('the sessions that an answer rests on', () => {
  const of = (data: unknown) => evidenceOf({ id: 'a', name: 'x', args: {}, result: { ok: true, data, ms: 1 } });
  const evidence = [
    { session_id: 'one', file: '/l', offset: 3 },
    { session_id: 'one', file: '/l', offset: 9 },
    { source: 'webhook' },
    null,
  ];
  expect(of({ evidence })).toEqual([{ session: 'one', file: '/l', offset: 3 }]);
  expect([of({ evidence: 'none' }), of(null), of('text')]).toEqual([[], [], []]);
});

test('an error ends it', () => {
  const failed = heard(begun('x'), { type: 'error', message: 'Ollama is down', ts });
  expect([failed.error, failed.ended]).toEqual(['Ollama is down', true]);
});

test('models that are known to call', () => {
  expect(['qwen2.5-coder:7b', 'llama3.2', 'phi4'].map(likelyCalls)).toEqual([true, true, false]);
});

test('the first model with tools is the default', () => {
  const models = [
    { name: 'phi4', tools: false },
    { name: 'gemma3', tools: null },
    { name: 'qwen3', tools: true },
  ];
  expect([null, 'phi4', 'gone'].map((name) => chosenModel(models, name)?.name)).toEqual(['qwen3', 'phi4', 'qwen3']);
  expect(chosenModel(models.slice(0, 2), null)?.name).toBe('phi4');
  expect(chosenModel([], null)).toBeUndefined();
});
