// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReadTable, TableRows } from '../wire/gen/types';
import { RequestFailed, request } from '../wire/requests';
import { COLUMNS, ROWS, TableReader } from './tableReader';

vi.mock('../wire/requests', async (original) => ({ ...(await original<object>()), request: vi.fn() }));

const asked = vi.mocked(request);

/** A table of 1,000 rows and 100 columns whose fields name their place. */
let table: Partial<TableRows> & { total: number; version: string };

function answer({ from = 0, rows, first = 0, last = 100, known }: ReadTable): TableRows {
  const { total, version } = table;
  const columns = Array.from({ length: 100 }, (_, at) => ({ name: `c${at}`, kind: 'text' as const, width: 9 }));
  const fields = (row: number) => columns.slice(first, last).map((_, column) => `${version} ${row}/${first + column}`);
  return {
    size: 1,
    progress: 1,
    header: true,
    more_columns: false,
    encoding: 'UTF-8',
    work: 1,
    ...table,
    count: table.count ?? total,
    ...(known === version ? {} : { columns }),
    rows: Array.from({ length: Math.max(0, Math.min(rows, total - from)) }, (_, at) => ({
      row: from + at,
      fields: fields(from + at),
    })),
  };
}

const bodies = () => asked.mock.calls.map(([, , body]) => body as ReadTable);
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  table = { total: 1000, version: 'v1' };
  asked.mockReset().mockImplementation(async (_method, _path, body) => answer(body as ReadTable));
});
afterEach(() => vi.useRealTimers());

describe('a reader of a table', () => {
  it('reads only the blocks in sight', async () => {
    const reader = new TableReader('a.csv', {}, () => {});
    reader.refresh();
    await settled();
    reader.want({ first: 250, end: 310, left: 60, right: 70 });
    await settled();
    expect(bodies().map(({ from, first }) => `${from}:${first}`)).toEqual([
      '0:0',
      '200:0',
      '200:64',
      '300:0',
      '300:64',
    ]);
    expect([reader.field(250, 3), reader.field(309, 65), reader.numberOf(309)]).toEqual(['v1 250/3', 'v1 309/65', 309]);
    expect([reader.field(5, 70), reader.numberOf(500)]).toEqual([undefined, undefined]);
    expect(bodies()[1]).toMatchObject({ rows: ROWS, first: 0, last: COLUMNS, known: 'v1' });
    reader.want({ first: 251, end: 309, left: 60, right: 70 });
    await settled();
    expect(asked).toHaveBeenCalledTimes(5);
  });

  it('forgets the rows of an earlier version', async () => {
    const reader = new TableReader('a.csv', {}, () => {});
    reader.want({ first: 0, end: 120, left: 0, right: 2 });
    await settled();
    expect(reader.field(110, 0)).toBe('v1 110/0');
    table = { total: 105, version: 'v2' };
    reader.refresh();
    await settled();
    expect([reader.field(104, 1), reader.field(110, 0), reader.facts?.count]).toEqual(['v2 104/1', undefined, 105]);
  });

  it('asks again while the server works', async () => {
    const changed = vi.fn();
    table = { total: 0, version: 'v1', work: 0.4 };
    const reader = new TableReader('a.csv', { anywhere: 'x' }, changed);
    reader.refresh();
    await settled();
    expect([reader.ready, reader.facts?.work]).toEqual([false, 0.4]);
    table = { total: 3, version: 'v1', work: 1 };
    await vi.advanceTimersByTimeAsync(200);
    expect([reader.ready, reader.field(2, 0)]).toEqual([true, 'v1 2/0']);
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked).toHaveBeenCalledTimes(2);
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it('tries once more when the file changes', async () => {
    const failure = { code: 'changed', message: 'the file changed while it was read', data: null };
    asked.mockRejectedValueOnce(new RequestFailed(409, failure));
    const reader = new TableReader('a.csv', {}, () => {});
    reader.refresh();
    await settled();
    expect([reader.failure, reader.facts?.count]).toEqual([null, 1000]);
    asked.mockRejectedValue(new RequestFailed(409, failure));
    reader.refresh();
    await settled();
    expect(reader.failure).toEqual(failure);
  });

  it('reads nothing once it is closed', async () => {
    const reader = new TableReader('a.csv', {}, () => {});
    reader.close();
    reader.refresh();
    await settled();
    expect(asked).not.toHaveBeenCalled();
  });
});
