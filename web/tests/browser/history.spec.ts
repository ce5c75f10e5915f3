// The person's AI coding history in a real window: what it cost, a session and its files, a new line, the sidebar.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

interface Place {
  model?: string;
  cwd?: string;
  timestamp?: string;
}

/** A line of Claude Code's log: a million tokens, five dollars. */
function answer(id: string, content: string, place: Place = {}): string {
  const { model = 'claude-opus-4-5', cwd = '/w', timestamp = new Date().toISOString() } = place;
  const write = { type: 'tool_use', id, name: 'Write', input: { file_path: '/w/a.py', content } };
  const message = {
    id,
    model,
    usage: { input_tokens: 1_000_000, output_tokens: 0 },
    content: [{ type: 'text', text: 'The webhooks of Stripe are signed.' }, write],
  };
  const line = { type: 'assistant', timestamp, cwd, requestId: id, message };
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

it('shows one folder, one day or all rows at a press, and has what it shows in its address', async () => {
  await page.getByText('$10.00 for 2 answers').waitFor();
  appendFileSync(log, answer('m3', 'third = 3\n', { timestamp: '2099-01-01T10:00:00.000Z' }));
  const rest = Array.from({ length: 13 }, (_, at) =>
    answer(`n${at}`, '', { cwd: '/home/me/shop', model: `model-${at}` }),
  );
  writeFileSync(join(log, '../two.jsonl'), rest.join(''));
  await page.getByText('$15.00 + ? for 16 answers').waitFor();
  await page.getByText('Not in the chart: 1 answer with a future date.').waitFor();
  await page.getByRole('img', { name: /by day from \d+-\d+-\d+ to \d+/ }).waitFor();
  const models = page.getByRole('region', { name: 'By model, as a table' });
  expect(await models.getByRole('row').count()).toBe(13);
  await page.getByRole('button', { name: 'Show all 14' }).click();
  expect(await models.getByRole('row').count()).toBe(15);
  await page.getByRole('button', { name: 'Show the first 12' }).click();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'shop', exact: true }).click();
  await page.getByText('for 13 answers').waitFor();
  expect(new URL(page.url()).searchParams.get('workspace')).toBe('/home/me/shop');
  await page.goBack();
  await page.getByText('for 16 answers').waitFor();
  await page.getByLabel('Folder (with subfolders)').fill('shop');
  await page.getByText('for 13 answers').waitFor();
  await page.getByText('/home/me/shop', { exact: true }).waitFor();
  await page.getByLabel('Folder (with subfolders)').fill('hop');
  await page.getByText('No folder named “hop” in the history.').waitFor();
  await page.getByLabel('Folder (with subfolders)').fill('');
  await page.getByText('for 16 answers').waitFor();
  await page.getByRole('button', { name: '2099-01-01' }).click();
  await page.getByText('for 1 answer in').waitFor();
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2099-01-01');
  await page.reload();
  await page.getByText('for 1 answer in').waitFor();
  await page.getByLabel('From', { exact: true }).fill('2099-01-02');
  await page.getByLabel('To (inclusive)').fill('2099-01-03');
  await page.getByText('for 0 answers').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('for 16 answers').waitFor();
});

it('a model that is served no more is marked, and hours of the week are there in numbers', async () => {
  appendFileSync(log, answer('m3', 'third = 3\n', { model: 'claude-3-opus-20240229' }));
  await page.getByRole('row', { name: /^claude-3-opus-20240229 retired 1 1M \$15\.00 60 %$/ }).waitFor();
  await page.getByText('Retired models use their last published price.').waitFor();
  await page.getByText('Show as table').click();
  await page.getByRole('region', { name: 'By hour of the week, as a table' }).getByRole('row').nth(1).waitFor();
  expect(await violations(page)).toEqual([]);
});

it('a session goes by what was said first, and a file of it leads to what became of it', async () => {
  const asked = {
    type: 'user',
    cwd: '/w',
    timestamp: new Date().toISOString(),
    message: { content: 'Sign the\nwebhooks' },
  };
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const after = lines.with(2, 'a \u202enac').with(35, 'b');
  const written = (id: string, text: string[]) => answer(id, `${text.join('\n')}\n`).replaceAll('a.py', 'long.py');
  writeFileSync(join(log, '../two.jsonl'), `${JSON.stringify(asked)}\n${written('n1', lines)}${written('n2', after)}`);
  await page.getByRole('button', { name: 'Sessions' }).click();
  await page.getByText('Sign the webhooks').click();
  await page.getByRole('button', { name: '/w/long.py' }).first().click();
  const text = page.getByRole('region', { name: 'Text of /w/long.py' });
  await text.getByText('U+202E').waitFor();
  const slider = page.getByRole('slider', { name: 'Step' });
  await slider.focus();
  await page.keyboard.press('Home');
  await page.getByText('No files read or written up to this step.').waitFor();
  await page.keyboard.press('End');
  await text.getByText('U+202E').waitFor();
  expect(await violations(page)).toEqual([]);
});

it('of a file of which no log has all, its last change is shown', async () => {
  const written = JSON.parse(answer('n1', 'x').replace('/w/a.py', '/w/mended.py'));
  const [, call] = written.message.content;
  call.name = 'Edit';
  call.input = { file_path: '/w/mended.py', old_string: 'first = 1\nrest', new_string: 'first = 2\nrest' };
  writeFileSync(join(log, '../two.jsonl'), `${JSON.stringify(written)}\n`);
  await page.getByRole('button', { name: 'Sessions' }).click();
  await page.getByText('w two').click();
  await page.getByRole('button', { name: '/w/mended.py' }).click();
  await page.getByText('The log does not have all of its text at this step.').waitFor();
  const text = page.getByRole('region', { name: 'Text of /w/mended.py' });
  expect((await text.textContent())?.split('\n')).toEqual(['− first = 1', '+ first = 2', '  rest', '']);
  expect(await violations(page)).toEqual([]);
});

it('a session has a link, and Back leads from it to where it was opened', async () => {
  await page.getByRole('button', { name: 'Sessions' }).click();
  await page.getByLabel('Search sessions').fill('stripe');
  await page.getByText('The webhooks of Stripe are signed.').click();
  const written = page.getByRole('heading', { name: /^Write/ }).first();
  await written.waitFor();
  await page.reload();
  await written.waitFor();
  await page.goBack();
  await page.getByText('The webhooks of Stripe are signed.').waitFor();
  expect(await page.getByLabel('Search sessions').inputValue()).toBe('stripe');
  await page.goBack();
  await page.getByText('$10.00 for 2 answers').waitFor();
});

it('shows a session and its files at any moment', async () => {
  await page.getByRole('button', { name: 'Sessions' }).click();
  await page.getByLabel('Search sessions').fill('stripe');
  await page.getByText('The webhooks of Stripe are signed.').click();
  await page
    .getByRole('heading', { name: /^Write/ })
    .first()
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Files', exact: true }).last().click();
  await page.getByRole('button', { name: '/w/a.py' }).click();
  await page.getByText('second = 2').waitFor();
  const slider = page.getByRole('slider', { name: 'Step' });
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
  await page.getByLabel('Search sessions').fill('harbour');
  await page.getByText('now the harbour').click();
  await page.getByText('Continued from').waitFor();
  await page.getByRole('heading', { name: /^You/ }).waitFor();
  expect(await page.getByText('build the quay').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.getByText('Continued from').getByRole('button', { name: 'first' }).click();
  await page.getByText('build the quay').waitFor();
  await expect.poll(() => page.getByText('Continued from').count()).toBe(0);
});

/** A host that knows a pull request and a run of octo/shop. */
async function host(): Promise<{ address: string; close(): void }> {
  const pull = {
    number: 7,
    title: 'Carts are kept',
    state: 'open',
    html_url: 'https://github.com/octo/shop/pull/7',
    updated_at: new Date().toISOString(),
    user: { login: 'ada' },
    base: { repo: { full_name: 'octo/shop' } },
  };
  const run = {
    id: 5,
    name: 'Tests',
    status: 'completed',
    conclusion: 'failure',
    head_sha: 'c'.repeat(40),
    run_started_at: new Date().toISOString(),
    html_url: 'https://github.com/octo/shop/actions/runs/5',
  };
  const answers: [string, unknown][] = [
    ['/pulls?', [pull]],
    ['/actions/runs?', { workflow_runs: [run] }],
    ['/commits?', []],
  ];
  const listening = createServer((asked, answer) => {
    const told = answers.find(([path]) => asked.url?.includes(path));
    answer.writeHead(told ? 200 : 404, { 'content-type': 'application/json' });
    answer.end(JSON.stringify(told ? told[1] : { message: 'Not Found' }));
  });
  await new Promise<void>((ready) => listening.listen(0, '127.0.0.1', ready));
  return { address: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, close: () => listening.close() };
}

it('a host is asked what became of pull requests and runs, and each leads to its page', async () => {
  const { address, close } = await host();
  await page.getByRole('button', { name: 'Pull requests' }).click();
  await page.getByText('No pull requests or runs yet.').waitFor();
  await page.getByLabel('Repository on the host').fill('octo/shop');
  await page.getByRole('button', { name: 'Fetch' }).click();
  await page.getByText('you have not allowed requests to it').waitFor();
  await page.getByRole('button', { name: 'Always allow requests to github.com' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Host', { exact: true }).fill(address);
  await expect.poll(() => page.getByRole('button', { name: /^Always allow requests/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Fetch' }).click();
  await page.getByText('1 pull request, 1 run, 0 commits, 2 new.').waitFor();
  const pulls = page.getByRole('region', { name: 'Pull requests, as a table' });
  const link = pulls.getByRole('link', { name: '#7 Carts are kept' });
  expect(await link.getAttribute('href')).toBe('https://github.com/octo/shop/pull/7');
  await page.getByRole('row', { name: /Tests octo\/shop ccccccccc failed/ }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Pull requests', { exact: true }).selectOption('merged');
  await page.getByText('No matching pull requests.').waitFor();
  expect(new URL(page.url()).searchParams.get('state')).toBe('merged');
  await page.reload();
  await page.getByText('No matching pull requests.').waitFor();
  await page.getByRole('row', { name: /Tests/ }).waitFor();
  expect(await violations(page)).toEqual([]);
  close();
});

it('the sidebar is there at three widths, and says that no model is', async () => {
  await page.getByRole('button', { name: 'Ask about history' }).click();
  await page.getByRole('tab', { name: 'History', exact: true, selected: true }).waitFor();
  await page.getByText('No model on this computer was found.').waitFor();
  expect(await violations(page)).toEqual([]);
  const question = page.getByRole('textbox', { name: 'Ask about your AI history' });
  await resize(page, 900, 800);
  await page.getByRole('button', { name: 'Open the AI history' }).click();
  await question.waitFor();
  expect(await violations(page)).toEqual([]);
  await resize(page, 600, 800);
  await page.getByRole('button', { name: /^Show the / }).click();
  await question.waitFor();
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page)).toEqual([]);
});
