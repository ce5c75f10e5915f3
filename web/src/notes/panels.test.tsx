// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import type { NoteGraph, NoteView, SearchAnswer, TodoList } from '../wire/gen/types';

const answers = vi.hoisted(() => new Map<string, unknown>());
const opened = vi.hoisted(() => vi.fn());
const done = vi.hoisted(() => vi.fn(async () => true));
vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {} }));
vi.mock('../wire/requests', async (original) => ({
  ...(await original<object>()),
  request: async (_method: string, path: string) => {
    const found = [...answers].find(([start]) => path.startsWith(start));
    if (!found) throw new Error('no such route');
    return found[1];
  },
}));
vi.mock('../frames/store', async (original) => ({ ...(await original<object>()), openFile: opened }));
vi.mock('../app/actionFlow', () => ({ doAction: done }));
(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

const VIEW: NoteView = {
  path: 'tides.md',
  title: 'Tides',
  aliases: [],
  tags: ['sea'],
  headings: [],
  todos: [],
  links: [{ line: 2, kind: 'wiki', raw: '[[gone]]', to: null }],
  backlinks: [{ path: 'plan.md', title: 'Plan', line: 3, text: 'About [[tides]] and more.', place: [6, 15] }],
  mentions: [],
  problems: [],
  left_out: 0,
  complete: true,
};
const GRAPH: NoteGraph = {
  nodes: [
    { path: 'tides.md', title: 'Tides', distance: 0, is_note: true },
    { path: 'plan.md', title: 'Plan', distance: 1, is_note: true },
  ],
  edges: [{ from: 1, to: 0 }],
  more: false,
};
const RELATED: SearchAnswer = {
  hits: [
    {
      path: 'moon.md',
      kind: 'note',
      line: 4,
      title: 'The moon',
      headings: [],
      text: 'It pulls the sea.',
      marks: [[13, 16]],
      why: 'words',
    },
  ],
  index: { state: 'ready', done: 3, of: 3, meaning: { model: null, done: 0, of: 0 }, left_out: 0, left_out_files: [] },
};
const TODOS: TodoList = {
  todos: [
    { path: 'plan.md', note: 'Plan', line: 5, state: 'open', mark: ' ', text: 'measure', due: '2026-11-01', tags: [] },
  ],
  total: 1,
  today: '2026-11-27',
  complete: true,
};

async function shown(element: React.ReactNode): Promise<HTMLElement> {
  const host = document.body.appendChild(document.createElement('div'));
  await act(async () => createRoot(host).render(element));
  await act(async () => {});
  return host;
}

const button = (host: HTMLElement, words: string) =>
  [...host.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(words));

beforeEach(() => {
  answers.clear();
  opened.mockClear();
});

test('links lead to their lines', async () => {
  answers.set('notes/of', VIEW).set('notes/graph', GRAPH).set('search/related', RELATED);
  const { default: Links } = await import('./Links');
  const host = await shown(<Links path="tides.md" />);
  button(host, 'About [[tides]]')?.click();
  expect(opened).toHaveBeenCalledWith('plan.md', { line: 3 });
  expect(host.querySelector('mark')?.textContent).toBe('[[tides]]');
  expect(button(host, '[[gone]]')?.textContent).toContain('not found');
  expect(host.querySelectorAll('fieldset button').length).toBe(2);
  act(() => button(host, 'As list')?.click());
  expect(host.querySelector('fieldset')).toBeNull();
});

test('related notes open at their place', async () => {
  answers.set('notes/of', VIEW).set('notes/graph', GRAPH).set('search/related', RELATED);
  const { default: Links } = await import('./Links');
  const host = await shown(<Links path="tides.md" />);
  button(host, 'The moon')?.click();
  expect(opened).toHaveBeenCalledWith('moon.md', { line: 4 });
});

test('links say why they are missing', async () => {
  const { default: Links } = await import('./Links');
  const host = await shown(<Links path="other.md" />);
  expect(host.querySelector('[role=alert]')?.textContent).toContain('Retry');
});

test('a tick marks a todo as done', async () => {
  answers.set('todos', TODOS);
  const { default: Todos } = await import('./Todos');
  const host = await shown(<Todos view={{ kind: 'todos' }} tab="t" focused />);
  expect(host.querySelector('h3')?.textContent).toBe('Overdue 1');
  button(host, 'measure')?.click();
  expect(opened).toHaveBeenCalledWith('plan.md', { line: 5 });
  await act(async () => host.querySelector<HTMLInputElement>('input[type=checkbox]')?.click());
  const args = { todos: [{ path: 'plan.md', line: 5, text: 'measure' }] };
  expect(done).toHaveBeenCalledWith({ action_type: 'todo.done', args }, { done: 'Done: measure' });
});
