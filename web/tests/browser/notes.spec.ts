// Beside a note: its outline, its links, the todos of all notes; and new notes of a day or from a template. The routes about notes
// are answered here, so that each place has a line that this file names.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { NoteGraph, NoteView, TodoList } from '../../src/wire/gen/types';
import { everywhere } from './axe';
import { eachInWindow } from './each';
import { addressOf, editor, openFromTree } from './support';

const at = eachInWindow({
  'tides.md': `# Tides\n\n${'word\n\n'.repeat(60)}## Spring tide\n\nSee [[plan]].\n`,
  'plan.md': '# Plan\n\nAbout [[tides]] and more.\n\n- [ ] measure\n',
  'journal/2026-01-02.md': '# A day\n',
  'templates/Daily.md': '# {{title}}\n\n- [ ] plan the day\n',
});

const VIEW: NoteView = {
  path: 'tides.md',
  title: 'Tides',
  aliases: [],
  tags: ['sea'],
  headings: [],
  todos: [],
  links: [{ line: 125, kind: 'wiki', raw: '[[plan]]', to: 'plan.md', title: 'Plan' }],
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
const TODOS: TodoList = {
  todos: [
    {
      path: 'plan.md',
      note: 'Plan',
      line: 5,
      state: 'open',
      mark: ' ',
      text: 'measure',
      due: '2026-11-01',
      tags: ['sea'],
    },
    { path: 'plan.md', note: 'Plan', line: 6, state: 'open', mark: ' ', text: 'sleep', tags: [] },
  ],
  total: 2,
  today: '2026-11-27',
  complete: true,
};

async function answer(page: Page, path: string, body: object): Promise<void> {
  await page.route(`**/api/v1/${path}*`, (route) => route.fulfill({ json: body }));
}

test('the outline leads to its headings', async () => {
  const { page } = at;
  await openFromTree(page, 'tides.md');
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('button', { name: 'Spring tide' }).click();
  await editor(page, 'tides.md').getByText('See').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.classList.contains('cm-content'))).toBe(true);
  await page.keyboard.press('End');
  await page.keyboard.type(' now');
  await page.getByRole('navigation', { name: 'Outline' }).getByRole('button', { name: 'Spring tide now' }).waitFor();
});

test('links of a note lead to their lines', async () => {
  const { page } = at;
  await answer(page, 'notes/of', VIEW);
  await answer(page, 'notes/graph', GRAPH);
  await openFromTree(page, 'tides.md');
  await page.getByRole('tab', { name: 'Links' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Links' });
  await panel.getByRole('group', { name: 'Notes around this one' }).getByRole('button', { name: 'Plan' }).waitFor();
  await everywhere(page);
  await panel.getByRole('button', { name: 'As list' }).click();
  await panel.getByRole('button', { name: /About \[\[tides\]\]/ }).click();
  await editor(page, 'plan.md').waitFor();
  await expect.poll(() => page.getByText('Line 3', { exact: true }).count()).toBe(1);
});

test('todos open at their lines and are done by a tick', async () => {
  const { page } = at;
  await answer(page, 'todos', TODOS);
  const sent: string[] = [];
  page.on('request', (request) => {
    const body = request.postData() ?? '';
    if (request.url().endsWith('/actions') && body.includes('todo.done')) sent.push(body);
  });
  await page.goto(await addressOf(page, 'todos'));
  await page
    .getByRole('region', { name: 'Overdue' })
    .getByRole('button', { name: /^measure/ })
    .waitFor();
  await page
    .getByRole('region', { name: 'No date' })
    .getByRole('button', { name: /^sleep/ })
    .waitFor();
  await everywhere(page);
  await page.getByRole('button', { name: 'By tag' }).click();
  await page.getByRole('checkbox', { name: 'Done: measure' }).click();
  await expect.poll(() => sent.length).toBe(1);
  expect(JSON.parse(sent[0] ?? '').args).toEqual({ todos: [{ path: 'plan.md', line: 5, text: 'measure' }] });
  await page
    .getByRole('region', { name: '#sea' })
    .getByRole('button', { name: /^measure/ })
    .click();
  await editor(page, 'plan.md').waitFor();
});

test('today has a note, made from its template', async () => {
  const { page } = at;
  await openFromTree(page, 'tides.md');
  await page.keyboard.press('Alt+d');
  const now = new Date();
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  await editor(page, `journal/${day}.md`).waitFor();
  expect(at.workspace.read(`journal/${day}.md`)).toBe(`# ${day}\n\n- [ ] plan the day\n`);
});
