// The person's AI coding history in a real window: what it cost, a session and its files, a new line, the sidebar.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { violations } from './axe';
import { launch, openWindow, resize, type Server, serve, Workspace } from './support';

let browser: Browser;
let workspace: Workspace;
let server: Server;
let page: Page;
let log: string;

/** A line of Claude Code's log: a million tokens, five dollars. */
function answer(id: string, content: string): string {
  const write = { type: 'tool_use', id, name: 'Write', input: { file_path: '/w/a.py', content } };
  const message = {
    id,
    model: 'claude-opus-4-5',
    usage: { input_tokens: 1_000_000, output_tokens: 0 },
    content: [{ type: 'text', text: 'The webhooks of Stripe are signed.' }, write],
  };
  const line = { type: 'assistant', timestamp: new Date().toISOString(), cwd: '/w', requestId: id, message };
  return `${JSON.stringify(line)}\n`;
}

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  workspace = new Workspace({ 'a.md': 'one\n' });
  const folder = join(workspace.home, '.claude/projects/-w');
  mkdirSync(folder, { recursive: true });
  log = join(folder, 'one.jsonl');
  writeFileSync(log, answer('m1', 'first = 1\n') + answer('m2', 'second = 2\n'));
  server = await serve(workspace);
  page = await openWindow(browser, server, { path: 'w/x/history' });
});
afterEach(async () => {
  await page.context().close();
  await server.kill();
  workspace.remove();
});

it('shows what it cost, and a new line of a log by itself', async () => {
  await page.getByText('$10.00 for 2 answers').waitFor();
  await page.getByRole('row', { name: /claude-opus-4-5 1 2M \$10.00/ }).waitFor();
  appendFileSync(log, answer('m3', 'third = 3\n'));
  await page.getByText('$15.00 for 3 answers').waitFor();
});

it('shows a session and its files at any moment', async () => {
  await page.getByRole('button', { name: 'Sessions' }).click();
  await page.getByLabel('Words that were said').fill('stripe');
  await page.getByText('The webhooks of Stripe are signed.').click();
  await page
    .getByRole('heading', { name: /^Write/ })
    .first()
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Files', exact: true }).last().click();
  await page.getByRole('button', { name: '/w/a.py' }).click();
  await page.getByText('second = 2').waitFor();
  const slider = page.getByRole('slider', { name: 'Moment' });
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByText('first = 1').waitFor();
  await expect.poll(() => page.getByText('second = 2').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
});

it('shows what a session repeats of another one there, and says so', async () => {
  const line = (session: string, second: number, content: string) =>
    `${JSON.stringify({ type: 'user', uuid: `u${second}`, sessionId: session, cwd: '/w', timestamp: `2026-06-01T10:00:0${second}.000Z`, message: { content } })}\n`;
  const before = (session: string) => line(session, 1, 'build the quay') + line(session, 2, 'and the pier');
  writeFileSync(join(log, '../first.jsonl'), before('first'));
  writeFileSync(join(log, '../again.jsonl'), before('again') + line('again', 3, 'now the harbour'));
  await page.getByRole('button', { name: 'Sessions' }).click();
  await page.getByLabel('Time', { exact: true }).selectOption('');
  await page.getByLabel('Words that were said').fill('harbour');
  await page.getByText('now the harbour').click();
  await page.getByText('Goes on from').waitFor();
  await page.getByRole('heading', { name: /^Person/ }).waitFor();
  expect(await page.getByText('build the quay').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.getByText('Goes on from').getByRole('button', { name: 'first' }).click();
  await page.getByText('build the quay').waitFor();
  await expect.poll(() => page.getByText('Goes on from').count()).toBe(0);
});

it('the sidebar is there at three widths, and says that no model is', async () => {
  await page.getByRole('button', { name: 'Ask about it' }).click();
  await page.getByRole('tab', { name: 'History', exact: true, selected: true }).waitFor();
  await page.getByText('No model of this machine was found.').waitFor();
  expect(await violations(page)).toEqual([]);
  await resize(page, 900, 800);
  expect(await violations(page)).toEqual([]);
  await resize(page, 600, 800);
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page)).toEqual([]);
});
