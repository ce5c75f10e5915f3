import { describe, expect, it } from 'vitest';
import type { CellExecution, CellOutput } from '../wire/gen/types';
import { begun, isUnderWay, noRuns, type RunFrame, told, withForm } from './runs';

const text = (text: string): CellOutput => ({ type: 'stream', name: 'stdout', text, omitted: 0, tail: '' });
const execution = (state: CellExecution['state']): CellExecution => ({
  id: 'exe_1',
  cell: 'a',
  state,
  count: null,
  asked_at: 0,
  began_at: null,
  ended_at: null,
});
const frame = (cell: string, from: number, ...outputs: CellOutput[]): RunFrame => ({
  type: 'cell_outputs',
  path: 'a.ipynb',
  cell,
  execution: execution('running'),
  from,
  outputs,
});
const end: RunFrame = { type: 'notebook_caught_up', path: 'a.ipynb' };

describe('what a notebook put out', () => {
  it('grows at its end, and is replaced from where the server says', () => {
    const runs = told(noRuns, [frame('a', 0, text('1')), frame('a', 1, text('2')), frame('a', 1, text('23')), end]);
    expect(runs.cells.get('a')?.outputs).toEqual([text('1'), text('23')]);
    expect(told(runs, [frame('a', 0)]).cells.get('a')?.outputs).toEqual([]);
    expect(runs.caughtUp).toBe(true);
  });

  it('is what the server has after a reconnect: cells it does not name have none', () => {
    const runs = told(noRuns, [frame('a', 0, text('1')), frame('b', 0, text('2')), end]);
    const during = told(begun(runs), [frame('b', 0, text('3'))]);
    expect(during.cells.get('a')?.outputs).toEqual([text('1')]);
    const after = told(during, [end]);
    expect([...after.cells.keys()]).toEqual(['b']);
    expect(told(after, [frame('c', 0, text('4'))]).cells.has('c')).toBe(true);
  });

  it('has a form that was read in its place, unless something else is there by now', () => {
    const part: CellOutput = {
      type: 'display',
      data: { 'text/plain': 'x' },
      metadata: {},
      is_result: false,
      omitted: { 'text/html': 9 },
    };
    const runs = told(noRuns, [frame('a', 0, text('1'), part), end]);
    const whole = { ...part, data: { 'text/plain': 'x', 'text/html': '<b>' }, omitted: {} };
    expect(withForm(runs, 'a', part, 'text/html', '<b>').cells.get('a')?.outputs).toEqual([text('1'), whole]);
    const later = told(runs, [frame('a', 1, { ...part })]);
    expect(withForm(later, 'a', part, 'text/html', '<b>')).toBe(later);
  });

  it('has the cells that are odd as they were told last, and none after a reconnect until they are told', () => {
    const odd = (...cells: string[]): RunFrame => ({
      type: 'notebook_odd_cells',
      path: 'a.ipynb',
      cells: cells.map((cell) => ({ cell, message: 'it is odd' })),
    });
    const runs = told(noRuns, [odd('a', 'b'), end, odd('b')]);
    expect(runs.odd.map(({ cell }) => cell)).toEqual(['b']);
    expect(begun(runs).odd).toEqual([]);
  });

  it('has the number of its run here, else that of the file', () => {
    const inFile: RunFrame = {
      ...(frame('a', 0) as Extract<RunFrame, { type: 'cell_outputs' }>),
      execution: null,
      count: 7,
    };
    const runs = told(noRuns, [inFile, end]);
    expect(runs.cells.get('a')?.count).toBe(7);
    const again = { ...inFile, execution: { ...execution('ok'), count: 1 } };
    expect(told(runs, [again]).cells.get('a')?.count).toBe(1);
  });

  it('tells what is under way', () => {
    expect(isUnderWay({ execution: execution('queued') })).toBe(true);
    expect([isUnderWay({ execution: execution('ok') }), isUnderWay(undefined)]).toEqual([false, false]);
  });
});
