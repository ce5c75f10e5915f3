// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FindLine, SearchAnswer, SearchHit } from '../wire/gen/types';
import { RequestFailed } from '../wire/requests';

/** A server of searches: answers wait until a test lets them go. */
const server = vi.hoisted(() => ({
  asked: [] as { path: string; body: unknown; answer(value: unknown): void; fail(error: unknown): void }[],
  found: [] as unknown[],
}));
const opened = vi.hoisted(() => vi.fn());
const proposed = vi.hoisted(() => vi.fn(async () => {}));
vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {} }));
vi.mock('../wire/requests', async (original) => ({
  ...(await original<object>()),
  request: (_method: string, path: string, body: unknown) =>
    new Promise((answer, fail) => server.asked.push({ path, body, answer, fail })),
  requestLines: async function* (path: string, body: unknown) {
    server.asked.push({ path, body, answer: () => {}, fail: () => {} });
    yield* server.found;
  },
}));
vi.mock('../frames/store', async (original) => ({ ...(await original<object>()), openFile: opened }));
vi.mock('../ask/perform', () => ({ propose: proposed }));
(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

const hit = (path: string, line: number, rest: Partial<SearchHit> = {}): SearchHit => ({
  path,
  kind: 'note',
  line,
  title: path.replace('.md', ''),
  headings: ['Year', 'Month'],
  text: 'the harbour wall',
  marks: [[4, 11]],
  why: 'words',
  ...rest,
});
const answer = (hits: SearchHit[], model: string | null = null): SearchAnswer => ({
  hits,
  index: { state: 'ready', done: 3, of: 3, meaning: { model, done: 3, of: 3 }, left_out: 0, left_out_files: [] },
});

let host: HTMLElement;
let root: Root;

async function show(view: 'search' | 'find'): Promise<void> {
  const { default: SearchPanel } = await import('./SearchPanel');
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
  await act(async () => root.render(<SearchPanel view={view} />));
}

async function type(label: string, text: string): Promise<void> {
  const field = host.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`);
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  await act(async () => {
    set?.call(field, text);
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

async function press(target: Element | null, key: string, more: KeyboardEventInit = {}): Promise<void> {
  await act(async () => {
    target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
  });
}

const pass = (time: number) => act(async () => void (await vi.advanceTimersByTimeAsync(time)));
const settle = (run: () => void) => act(async () => run());
const nameOf = (element: Element | null | undefined) => element?.getAttribute('aria-label') ?? undefined;
const cards = () => [...host.querySelectorAll('[role=group]')].map(nameOf);
const box = () => host.querySelector('input');
const words = () => host.textContent ?? '';
const button = (name: string, at = 0) =>
  [...host.querySelectorAll('button')].filter((each) => (nameOf(each) ?? each.textContent) === name)[at];

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  sessionStorage.clear();
  server.asked.length = 0;
  server.found = [];
  opened.mockClear();
  proposed.mockClear();
});
afterEach(() => {
  act(() => root.unmount());
  host.remove();
  vi.useRealTimers();
});

test('hits are cards that open at their places', async () => {
  await show('search');
  await type('Search', 'harbour');
  await pass(100);
  expect(server.asked[0]).toMatchObject({ path: 'search', body: { query: 'harbour', typing: true } });
  await settle(() => server.asked[0]?.answer(answer([hit('b.md', 7), hit('a.md', 2), hit('b.md', 3)])));
  expect(cards()).toEqual(['b', 'a']);
  expect(host.querySelector('mark')?.textContent).toBe('harbour');
  expect(words()).toContain('Year › Month');
  expect(words()).toContain('3 places in 2 documents');
  expect(words()).toContain('Search by meaning needs a model');
  await press(box(), 'ArrowDown');
  await press(box(), 'Enter');
  expect(opened).toHaveBeenCalledWith('b.md', { line: 3 });
});

test('the newest answer wins', async () => {
  await show('search');
  await type('Search', 'har');
  await pass(100);
  await type('Search', 'harbour');
  await pass(100);
  await settle(() => server.asked[1]?.answer(answer([hit('new.md', 1)])));
  await settle(() => server.asked[0]?.answer(answer([hit('old.md', 1)])));
  expect(words()).toContain('new.md');
  expect(words()).not.toContain('old.md');
});

test('a pause asks for the meaning', async () => {
  await show('search');
  await type('Search', 'harb');
  await pass(100);
  await settle(() => server.asked[0]?.answer(answer([hit('quick.md', 1)], 'folder:m')));
  await pass(600);
  expect(server.asked[1]?.body).toMatchObject({ query: 'harb', typing: false });
  await settle(() => server.asked[1]?.answer(answer([hit('sea.md', 1, { why: 'meaning' })], 'folder:m')));
  expect(cards()).toEqual(['sea', 'quick']);
});

test('a chosen place stays where it is', async () => {
  await show('search');
  await type('Search', 'harb');
  await pass(100);
  await settle(() => server.asked[0]?.answer(answer([hit('gone.md', 1), hit('a.md', 1), hit('b.md', 1)], 'folder:m')));
  await press(box(), 'ArrowDown');
  await press(box(), 'ArrowUp');
  await pass(600);
  await settle(() => server.asked[1]?.answer(answer([hit('b.md', 1), hit('c.md', 1), hit('a.md', 1)], 'folder:m')));
  // The full answer has all documents of the quick one: what it finds first does not move the chosen place.
  expect(cards()).toEqual(['gone', 'a', 'b']);
});

test('documents that are gone leave the list', async () => {
  await show('search');
  await type('Search', 'harb');
  await pass(100);
  await settle(() => server.asked[0]?.answer(answer([hit('gone.md', 1), hit('a.md', 1)])));
  const { searchAgain } = await import('./searchStore');
  await press(box(), 'ArrowDown');
  await settle(() => void searchAgain());
  await settle(() => server.asked[1]?.answer(answer([hit('new.md', 1), hit('a.md', 1)])));
  expect(cards()).toEqual(['a']);
});

test('nothing found offers another way', async () => {
  await show('search');
  await type('Search', 'kind:note zzz');
  await pass(100);
  await settle(() => server.asked[0]?.answer(answer([])));
  expect(words()).toContain('No results for “kind:note zzz”');
  expect(button('Find in files', 1)).toBeDefined();
  await act(async () => button('Remove filters')?.click());
  expect(box()?.value).toBe('zzz');
});

test('a failed search says why', async () => {
  await show('search');
  await type('Search', 'before:soon');
  await pass(100);
  const failure = { code: 'invalid', message: '`soon` is no day; write it as 2026-12-01', data: null };
  await settle(() => server.asked[0]?.fail(new RequestFailed(400, failure)));
  expect(host.querySelector('[role=alert]')?.textContent).toContain('soon is no day');
});

test('an expression leads to Find in files', async () => {
  await show('search');
  await type('Search', '/v\\d+/');
  await pass(100);
  const failure = { code: 'bad_request', message: 'Search finds no regular expressions.', data: null };
  await settle(() => server.asked[0]?.fail(new RequestFailed(400, failure)));
  await act(async () => button('Find in files', 1)?.click());
  expect(server.asked[1]).toMatchObject({ path: 'find', body: { text: 'v\\d+', regex: true } });
});

test('a reload restores the search', async () => {
  sessionStorage.setItem('aside.search', JSON.stringify({ text: 'tides' }));
  await show('search');
  expect(box()?.value).toBe('tides');
  expect(server.asked[0]?.body).toMatchObject({ query: 'tides' });
});

const FOUND: FindLine[] = [
  {
    file: {
      path: 'src/a.py',
      lines: [
        { line: 3, text: '    return sea', marks: [[11, 14]] },
        { line: 8, text: 'sea = 1', marks: [[0, 3]] },
      ],
      more: false,
    },
  },
  { file: { path: 'tide.md', lines: [{ line: 1, text: 'The sea', marks: [[4, 7]] }], more: false } },
  { done: { files: 2, lines: 3, looked_through: 9, more: false, took_ms: 2 } },
];

const rows = () => [...host.querySelectorAll('[role=treeitem]')].map(({ textContent }) => textContent);

test('files and lines are found and opened', async () => {
  server.found = FOUND;
  await show('find');
  await type('Find in files', 'sea');
  await press(box(), 'c', { altKey: true, code: 'KeyC' });
  await pass(400);
  expect(server.asked[0]).toMatchObject({ path: 'find', body: { text: 'sea', match_case: true } });
  expect(rows()).toEqual(['a.pysrc2', '3return sea', '8sea = 1', 'tide.md1', '1The sea']);
  expect(words()).toContain('3 lines in 2 files');
  const tree = host.querySelector('[role=tree]');
  await press(tree, 'ArrowDown');
  await press(tree, 'ArrowDown');
  await press(tree, 'Enter');
  expect(opened).toHaveBeenCalledWith('src/a.py', { line: 3 });
});

test('replacing leaves dismissed lines alone', async () => {
  server.found = FOUND;
  await show('find');
  await act(async () => button('Toggle replace')?.click());
  await type('Find in files', 'sea');
  await type('Replace with', 'ocean');
  await pass(400);
  expect(host.querySelector('del')?.textContent).toBe('sea');
  expect(host.querySelector('ins')?.textContent).toBe('ocean');
  await act(async () => button('Dismiss line 8')?.click());
  expect(rows()).not.toContain('8seaocean = 1');
  await act(async () => button('Replace all…')?.click());
  const args = { text: 'sea', replacement: 'ocean', except: [{ path: 'src/a.py', lines: [8] }] };
  expect(proposed).toHaveBeenLastCalledWith('Replace “sea” with “ocean” in all files', [
    { action_type: 'file.replace', args },
  ]);
  await act(async () => button('Replace all in tide.md…')?.click());
  const one = { text: 'sea', replacement: 'ocean', within: 'tide.md' };
  expect(proposed).toHaveBeenLastCalledWith('Replace “sea” with “ocean” in tide.md', [
    { action_type: 'file.replace', args: one },
  ]);
});

test('globs are sent as a list', async () => {
  sessionStorage.setItem(
    'aside.find',
    JSON.stringify({ text: 'sea', showsGlobs: true, include: 'notes/**, *.{py,rs}', exclude: '' }),
  );
  await show('find');
  expect(server.asked[0]?.body).toEqual({ text: 'sea', include: ['notes/**', '*.{py,rs}'] });
});
