import { describe, expect, it } from 'vitest';
import type { CellExecution } from '../wire/gen/types';
import { cellLabel, endWords, sizeWords, tookWords } from './words';

const run = (part: Partial<CellExecution>): CellExecution => ({
  id: 'exe_1',
  cell: 'a',
  state: 'ok',
  count: 5,
  asked_at: 0,
  began_at: 1000,
  ended_at: null,
  ...part,
});

describe('words of a cell', () => {
  it('say what a listener wants to know', () => {
    expect(cellLabel(11, 'code', { execution: run({ state: 'failed' }), count: 5, outputs: [] })).toBe(
      'Cell 12, code, run 5, failed',
    );
    expect(cellLabel(0, 'markdown', undefined)).toBe('Cell 1, Markdown');
    expect(cellLabel(1, 'sql', { execution: null, count: null, outputs: [] })).toBe('Cell 2, SQL');
    expect(cellLabel(1, 'code', { execution: null, count: 7, outputs: [] })).toBe('Cell 2, code, run 7');
  });

  it('say how long a run took', () => {
    const after = (milliseconds: number) => tookWords(run({}), 1000 + milliseconds);
    expect([0, 300, 1500, 12_400, 185_000, 7_260_000].map(after)).toEqual([
      '1 ms',
      '300 ms',
      '1.5 s',
      '12 s',
      '3m 5s',
      '2h 1m',
    ]);
    expect(tookWords(run({ began_at: null }), 0)).toBeNull();
    expect(tookWords(run({ ended_at: 3000 }), 0)).toBe('2.0 s');
  });

  it('say how a run ended', () => {
    const error = { type: 'error', name: 'ValueError', value: 'odd', traceback: '' } as const;
    const text = { type: 'stream', name: 'stdout', text: 'x', omitted: 0, tail: '' } as const;
    expect(endWords('code', { execution: run({}), outputs: [text] })).toBe('Done, 1 output');
    expect(endWords('code', { execution: run({ state: 'failed' }), outputs: [text, error] })).toBe(
      'Failed: ValueError: odd',
    );
    expect(endWords('code', { execution: run({ state: 'lost' }), outputs: [] })).toBe('Cell lost: the kernel ended');
  });

  it('call a stopped answer stopped', () => {
    const error = { type: 'error', name: 'Stopped', value: 'a person stopped the answer', traceback: '' } as const;
    const stopped = { execution: run({ state: 'failed' }), count: null, outputs: [error] };
    expect([cellLabel(0, 'ai', stopped), endWords('ai', stopped)]).toEqual(['Cell 1, AI, stopped', 'Stopped']);
    expect(cellLabel(0, 'code', stopped)).toBe('Cell 1, code, failed');
  });

  it('say how much is left out', () => {
    expect([12, 34_500, 8_100_000].map(sizeWords)).toEqual(['12 bytes', '35 KB', '8.1 MB']);
  });
});
