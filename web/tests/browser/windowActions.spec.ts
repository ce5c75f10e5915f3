// Actions in the window: what a model, another program and the command line can do with tabs, panes and layout.
import { execFileSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Submitted } from '../../src/wire/gen/types';
import { eachInWindow } from './each';
import { editor, openFromTree, openWindow, post } from './support';

const BINARY = resolve(process.env.ASIDE_BIN ?? '../target/debug/aside');

const at = eachInWindow({
  'README.md': '# Tides\n\n## Data\n\nLow.\n',
  'a.py': Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join('\n'),
  'b.md': '# B\n',
  'c.csv': 'a,b\n1,2\n',
  'd.ipynb': JSON.stringify({
    cells: Array.from({ length: 30 }, (_, index) => ({
      cell_type: 'code',
      id: `cell-${index}`,
      metadata: {},
      source: [`x = ${index}\n`, ...Array.from({ length: 8 }, () => 'y = 1\n')],
      outputs: [],
      execution_count: null,
    })),
    metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } },
    nbformat: 4,
    nbformat_minor: 5,
  }),
});

const act = (action_type: string, args: unknown) => post<Submitted>(at.server, 'actions', { action_type, args });
const undo = ({ id }: Submitted) => post<Submitted>(at.server, `actions/${id}/undo`, {});
const tabsOf = (page: Page) => page.getByRole('main').getByRole('tab').allTextContents();
const tabs = () => tabsOf(at.page);
const active = () => at.page.getByRole('main').getByRole('tab', { selected: true }).allTextContents();
const words = ({ outcome }: Submitted) => (outcome?.kind === 'done' ? outcome.observation.text : outcome);

/** Does an action, which must be done. */
async function done(action_type: string, args: unknown): Promise<Submitted> {
  const submitted = await act(action_type, args);
  expect(submitted.outcome, JSON.stringify(submitted.outcome)).toMatchObject({ kind: 'done' });
  return submitted;
}

const ALL = ['README.md', 'a.py', 'b.md', 'c.csv', 'd.ipynb'];

/** Opens all files; `a.py` has the attention. */
async function five(): Promise<void> {
  await openFromTree(at.page, 'README.md');
  await done('ui.tabs.open', { paths: ['a.py', 'b.md', 'c.csv', 'd.ipynb'] });
  await done('ui.tabs.focus', { index: 2 });
  await expect.poll(tabs).toEqual(ALL);
  await editor(at.page, 'a.py').waitFor();
}

it('other tabs close, keep what was typed, and come back in their places', async () => {
  await five();
  await at.page.getByRole('tab', { name: 'b.md' }).click();
  await editor(at.page, 'b.md').click();
  await at.page.keyboard.type('typed ');
  await done('ui.tabs.focus', { path: 'a.py' });
  const closed = await done('ui.tabs.close', { which: 'others' });
  await expect.poll(tabs).toEqual(['a.py']);
  expect(words(closed)).toBe('closed 4 tabs: README.md, b.md, c.csv, d.ipynb');
  await expect.poll(() => at.workspace.read('b.md')).toContain('typed ');
  expect((await undo(closed)).state).toBe('done');
  await expect.poll(tabs).toEqual(ALL);
  expect(await active()).toEqual(['a.py']);

  // The command line does the same; a kind is said by its word.
  const line = ['do', 'ui.tabs.close', '--args', '{"which":"all","except":{"kind":"notebook"}}'];
  execFileSync(BINARY, line, { cwd: at.workspace.folder, env: at.workspace.environment(), stdio: 'pipe' });
  await expect.poll(tabs).toEqual(['d.ipynb']);
  const gone = await act('ui.tabs.close', { which: 'paths', paths: ['a.py'] });
  expect(gone.outcome).toMatchObject({ kind: 'failed', failure: { code: 'not_open' } });
});

it('a closed tab comes back by key, from the palette, and with its pane', async () => {
  await openFromTree(at.page, 'README.md');
  await done('ui.split', { direction: 'right', path: 'a.py' });
  const panes = () => at.page.getByRole('main').getByRole('tablist').count();
  await expect.poll(panes).toBe(2);
  await at.page.getByRole('tab', { name: 'a.py' }).click();
  await at.page.keyboard.press('Alt+w');
  await expect.poll(panes).toBe(1);
  await at.page.keyboard.press('Alt+Shift+W');
  await expect.poll(panes).toBe(2);
  expect(await tabs()).toEqual(['README.md', 'a.py']);

  await at.page.keyboard.press('Control+k');
  await at.page.getByRole('dialog').getByRole('combobox').fill('Close all tabs');
  await at.page.getByRole('option', { name: /^Close all tabs/ }).click();
  await expect.poll(tabs).toEqual([]);
  await at.page.getByRole('button', { name: 'Reopen: Closed 2 tabs' }).or(at.page.getByText('Reopen')).first().click();
  await expect.poll(tabs).toEqual(['README.md', 'a.py']);
  expect(await panes()).toBe(2);
});

it('tabs are sorted by the time of their files, and back', async () => {
  await five();
  for (const [index, name] of ['c.csv', 'README.md', 'd.ipynb', 'a.py', 'b.md'].entries()) {
    const time = 1_700_000_000 - index * 1000;
    utimesSync(join(at.workspace.folder, name), time, time);
  }
  const sorted = await done('ui.tabs.reorder', { by: 'mtime' });
  await expect.poll(tabs).toEqual(['c.csv', 'README.md', 'd.ipynb', 'a.py', 'b.md']);
  await undo(sorted);
  await expect.poll(tabs).toEqual(ALL);
  await done('ui.tabs.reorder', { by: 'kind' });
  await expect.poll(tabs).toEqual(['a.py', 'c.csv', 'b.md', 'README.md', 'd.ipynb']);
  const { outcome } = await done('ui.tabs.list', {});
  expect(outcome).toMatchObject({
    observation: {
      data: { tabs: [{ path: 'a.py', kind: 'code', active: true, pane: 1, mtime: 1_699_997_000_000 }, {}, {}, {}, {}] },
    },
  });
});

it('the files that were opened by an action close by its undo', async () => {
  await openFromTree(at.page, 'README.md');
  const opened = await done('ui.tabs.open', { paths: ALL });
  await expect.poll(tabs).toEqual(ALL);
  expect(await active()).toEqual(['d.ipynb']);
  await undo(opened);
  await expect.poll(tabs).toEqual(['README.md']);
  const missing = await act('ui.tabs.open', { paths: ['a.py', 'gone.py'] });
  expect(missing.outcome).toMatchObject({ failure: { code: 'not_found' } });
  expect(await tabs()).toEqual(['README.md']);
});

it('theme, layout and split change, and change back', async () => {
  await openFromTree(at.page, 'README.md');
  const theme = () => at.page.evaluate(() => document.documentElement.dataset.theme);
  const dark = await done('ui.theme', { mode: 'dark' });
  await expect.poll(theme).toBe('dark');
  await undo(dark);
  await expect.poll(theme).toBe('system');

  const explorer = at.page.getByRole('tree');
  const side = at.page.getByRole('complementary', { name: 'Assistant' });
  const hidden = await done('ui.layout', { sidebar: 'hide', side: 'hide' });
  await explorer.waitFor({ state: 'hidden' });
  await side.waitFor({ state: 'hidden' });
  await undo(hidden);
  await explorer.waitFor();
  await side.waitFor();
  await done('ui.panel', { panel: 'chat' });
  await at.page.getByRole('complementary', { name: 'Chat' }).waitFor();

  const split = await done('ui.split', { direction: 'down' });
  await expect.poll(tabs).toEqual(['README.md', 'README.md']);
  await undo(split);
  await expect.poll(tabs).toEqual(['README.md']);
});

it('pages, lines, headings and cells are gone to', async () => {
  await done('ui.go', { page: 'audit' });
  await at.page.getByRole('heading', { name: 'Activity log' }).first().waitFor();
  await done('ui.go', { path: 'a.py', line: 150 });
  await at.page.getByText('line 150', { exact: true }).waitFor();
  await done('ui.go', { line: 20 });
  await at.page.getByText('line 20', { exact: true }).waitFor();
  await done('ui.go', { path: 'd.ipynb', cell: 'cell-25' });
  const cell = at.page.locator('[data-cell="cell-25"]');
  await expect.poll(() => cell.evaluate((it) => it.getBoundingClientRect().top < innerHeight)).toBe(true);
  await done('ui.tabs.focus', { to: 'previous' });
  await expect.poll(active).toEqual(['a.py']);
});

it('the person goes on writing where they are', async () => {
  await openFromTree(at.page, 'b.md');
  await editor(at.page, 'b.md').click();
  await at.page.keyboard.type('mine');
  await done('ui.open', { path: 'a.py' });
  await at.page.getByText('line 1', { exact: true }).waitFor();
  await at.page.keyboard.type('lost?');
  await expect.poll(() => at.workspace.read('b.md')).toContain('mine');
  expect(at.workspace.read('a.py')).not.toContain('lost?');
});

it('without a window it says so', async () => {
  await at.page.context().close();
  await expect
    .poll(async () => (await act('ui.tabs.close', { which: 'all' })).outcome)
    .toMatchObject({
      failure: { code: 'no_window' },
    });
});

it('of two windows, the one that is named or was used last does it', async () => {
  await openFromTree(at.page, 'README.md');
  const other = await openWindow(at.browser, at.server);
  await editor(other, 'README.md').waitFor();
  await other.bringToFront();
  await other.evaluate(() => window.dispatchEvent(new Event('focus')));
  const used = async () => {
    const { outcome } = await done('ui.tabs.list', {});
    const data = outcome?.kind === 'done' ? outcome.observation.data : null;
    return data as { window: string; windows: string[] };
  };
  const name = (page: Page) => page.evaluate(() => sessionStorage.getItem('aside.window'));
  await expect.poll(async () => (await used()).window).toBe(await name(other));
  const opened = await done('ui.tabs.open', { paths: ['a.py'] });
  expect(words(opened)).toBe('opened a.py, in the window that was used last, one of 2');
  await expect.poll(() => tabsOf(other)).toEqual(['README.md', 'a.py']);
  expect(await tabs()).toEqual(['README.md']);

  await done('ui.tabs.open', { paths: ['b.md'], window: await name(at.page) });
  await expect.poll(tabs).toEqual(['README.md', 'b.md']);

  // An undo goes to the window that did it, also when another was used since.
  await at.page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect.poll(async () => (await used()).window).toBe(await name(at.page));
  await undo(opened);
  await expect.poll(() => tabsOf(other)).toEqual(['README.md']);
  expect(await tabs()).toEqual(['README.md', 'b.md']);
  await other.context().close();
  const closed = async () => (await act('ui.tabs.list', { window: (await used()).windows[1] ?? 'gone' })).outcome;
  await expect.poll(closed).toMatchObject({ failure: { code: 'window_closed' } });
});
