import { expect, it } from 'vitest';
import type { ActionRecord, PullLine } from '../wire/gen/types';
import { applyLine, begun, isOn, type Pull, pullWords, shareOf } from './pull';

const progress = (completed: number, total: number | null, status = 'pulling'): PullLine => ({
  kind: 'progress',
  status,
  completed,
  total,
});
const ended = (state: ActionRecord['state'], outcome: unknown = null): PullLine => ({
  kind: 'ended',
  record: { envelope: { id: 'a1' }, state, outcome } as unknown as ActionRecord,
});
const after = (...lines: readonly [PullLine, number][]): Pull =>
  lines.reduce((pull, [line, at]) => applyLine(pull, line, at), begun('ollama/qwen3:4b'));

it('the first line has action and model', () => {
  expect(after([{ kind: 'begun', action: 'a1', model: 'ollama/other' }, 0])).toMatchObject({
    phase: 'asking',
    action: 'a1',
    model: 'ollama/other',
  });
});

it('shows progress, speed and remaining time', () => {
  expect(pullWords(begun('ollama/x'))).toBe('Contacting Ollama…');
  expect(pullWords(after([progress(0, null, 'pulling manifest'), 0]))).toBe('pulling manifest…');
  const pull = after([progress(0, 2.6e9), 0], [progress(40e6, 2.6e9), 2000]);
  expect(pullWords(pull)).toBe('40 MB of 2.6 GB · 20 MB/s · 3 min left');
  expect(shareOf(pull)).toBeCloseTo(0.0154);
});

it('has the speed of the latest seconds only', () => {
  const pull = after([progress(0, 1e9), 0], [progress(500e6, 1e9), 10_000], [progress(510e6, 1e9), 11_000]);
  expect(pullWords(pull)).toBe('510 MB of 1.0 GB · 10 MB/s · less than a minute left');
});

it('ends as the action ended', () => {
  expect(after([ended('done'), 0])).toMatchObject({ phase: 'done', action: 'a1' });
  const failure = { code: 'x', message: 'No such model.', data: null };
  const failed = after([progress(1, 2), 0], [ended('failed', { kind: 'failed', failure }), 1]);
  expect(failed).toMatchObject({ phase: 'failed', failure });
  expect(isOn(failed)).toBe(false);
  expect(after([ended('refused', { kind: 'refused', by: 'person', failure }), 0]).phase).toBe('stopped');
});
