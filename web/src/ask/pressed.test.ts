import { expect, test } from 'vitest';
import type { PaletteEntry } from './entries';
import { clicked, entered, REACTION, type RowsBefore } from './pressed';

const row = (id: string, kind: 'file' | 'ask' = 'file') =>
  ({ id, choice: kind === 'ask' ? { kind, text: id } : { kind, path: id } }) as unknown as PaletteEntry;

const NOW = ['understood', 'plan', 'tides'].map((id) => row(id));
const before = (part: Partial<RowsBefore> = {}): RowsBefore => ({
  entries: [row('plan'), row('tides')],
  at: 0,
  until: 1_000,
  shown: 2 * REACTION,
  ...part,
});

test('an early press means the row before', () => {
  expect(entered(NOW, 0, before(), 1_000 + REACTION)?.id).toBe('plan');
  expect(entered(NOW, 0, before({ at: 1 }), 1_001)?.id).toBe('tides');
  expect(clicked(NOW, 1, before(), 1_001)?.id).toBe('tides');
});

test('a later press means the new row', () => {
  expect(entered(NOW, 0, before(), 1_001 + REACTION)?.id).toBe('understood');
  expect(clicked(NOW, 1, before(), 1_001 + REACTION)?.id).toBe('plan');
});

test('rows that nobody could read were not meant', () => {
  expect(entered(NOW, 0, before({ shown: REACTION - 1 }), 1_001)?.id).toBe('understood');
  expect(entered(NOW, 0, null, 1_001)?.id).toBe('understood');
});

test('understanding takes the place of asking a model', () => {
  expect(entered(NOW, 0, before({ entries: [row('ask', 'ask')] }), 1_001)?.id).toBe('understood');
});

test('a click below old rows means that row', () => {
  expect(clicked(NOW, 2, before(), 1_001)?.id).toBe('tides');
});
