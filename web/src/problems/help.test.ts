// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import type { Problem } from '../wire/gen/types';
import { help } from './help';

const request = vi.hoisted(() => vi.fn());
vi.mock('../wire/requests', async (original) => ({ ...(await original<object>()), request }));
const showPlainly = vi.hoisted(() => vi.fn());
vi.mock('./Plainly', () => ({ showPlainly }));
vi.mock('../side/modes', () => ({ showSide: () => {} }));
vi.mock('../threads/store', () => ({ learnThread: () => {}, showThread: () => {} }));

const LATEX = { path: 'paper/one.tex', line: 2, message: 'Undefined', source: 'latex' } as Problem;
const TAILS = [{ name: 'latexmk (latex)', text: '! Undefined control sequence.' }];
const FIRST = { path: 'paper/main.tex', line: 9, message: 'Missing }', detail: 'l.9', source: 'latex' } as Problem;
const sent = (path: RegExp) => request.mock.calls.find((call) => path.test(call[1]))?.[2];

beforeEach(() => {
  request.mockReset();
  showPlainly.mockReset();
  request.mockImplementation(async (_, path: string) => {
    if (path === 'models') return { chosen: 'rehearsal/tests' };
    if (path.startsWith('latex/output')) return { stages: TAILS, first: FIRST };
    return { id: 'thr_1' };
  });
});

test('a problem of a build goes with the end of what its stages put out', async () => {
  await help({ problem: LATEX }, false);
  expect(request.mock.calls.map((call) => call[1])).toContain('latex/output?path=paper%2Fone.tex');
  expect(sent(/turns$/)).toMatchObject({ seed: { problem: LATEX, logs: TAILS }, focus: { path: 'paper/one.tex' } });
});

test('the first error of the build goes along where another was pressed', async () => {
  await help({ problem: LATEX }, false);
  expect(sent(/turns$/)).toMatchObject({ seed: { problem: LATEX, first: FIRST } });
  request.mockClear();
  await help({ problem: { ...FIRST, detail: 'read again' } }, false);
  expect(sent(/turns$/).seed).not.toHaveProperty('first');
});

test('a cell that failed is asked about beside its notebook', async () => {
  const at = { path: 'tides.ipynb', cell: 'first' };
  await help({ at, logs: [{ name: 'a cell', text: 'ZeroDivisionError' }] }, true);
  expect(sent(/^threads$/)).toMatchObject({ hint: true, document: 'tides.ipynb' });
  expect(sent(/turns$/)).toMatchObject({ focus: at, seed: { logs: [{ name: 'a cell', text: 'ZeroDivisionError' }] } });
});

test('pressed twice it is asked once, and asked again it is another question', async () => {
  await Promise.all([help({ problem: LATEX }, false), help({ problem: LATEX }, false)]);
  const asked = () => request.mock.calls.filter(([method]) => method === 'POST').map(([, path]) => path);
  expect(asked()).toEqual(['threads', 'threads/thr_1/turns']);
  const { key } = sent(/turns$/);
  request.mockClear();
  await help({ problem: LATEX }, false);
  expect(asked()).toEqual(['threads', 'threads/thr_1/turns']);
  expect(sent(/turns$/).key).not.toBe(key);
});

test('a question that did not go out is shown with what is known of it, and tried again in its thread', async () => {
  const failing = (fails: RegExp) => {
    const answer = request.getMockImplementation();
    request.mockImplementation(async (method: string, path: string, body: unknown) => {
      if (method === 'POST' && fails.test(path)) throw new Error('gone');
      return answer?.(method, path, body);
    });
    return () => request.mockImplementation(answer ?? (async () => {}));
  };
  const again = () => showPlainly.mock.calls.at(-1)?.[1].onAgain();
  let mend = failing(/^threads$/);
  await help({ problem: LATEX }, true);
  expect(showPlainly.mock.calls[0]?.[0]).toContain('! Undefined control sequence.');
  expect(showPlainly.mock.calls[0]?.[1].failure.message).toBe('gone');
  mend();
  mend = failing(/turns$/);
  again();
  await vi.waitFor(() => expect(showPlainly).toHaveBeenCalledTimes(2));
  const first = sent(/turns$/);
  mend();
  request.mockClear();
  again();
  await vi.waitFor(() => expect(sent(/turns$/)).toEqual(first));
  expect(sent(/^threads$/), 'the thread that was begun').toBeUndefined();
});
