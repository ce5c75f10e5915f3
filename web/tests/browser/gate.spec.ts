import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { act, launch, openWindow, type Server, serve, Workspace } from './support';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let workspace: Workspace;
let server: Server;
let page: Page;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  workspace = new Workspace({
    'one.csv': '1\n',
    'two.csv': '2\n',
    'three.csv': '3\n',
    'notes.md': '# Notes\n',
  });
  server = await serve(workspace);
  page = await openWindow(browser, server);
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await server.kill();
  workspace.remove();
});

const remove = (path: string) => act(server, 'file.delete', { path });
const waiting = () => page.getByRole('list', { name: 'Waiting for you' });

describe('what needs you', () => {
  it('is counted in the top bar, opens with a key, and is answered by key, whole and one after the other', async () => {
    await remove('one.csv');
    await remove('two.csv');
    await page.getByRole('button', { name: '2 actions need you' }).waitFor();
    await page.keyboard.press('Alt+u');
    await waiting().getByText('Asked because:', { exact: false }).waitFor();
    expect(page.url()).toMatch(/\/needs-you$/);
    await page.waitForTimeout(500);
    await page.keyboard.press('Alt+y');
    await waiting().getByRole('button', { name: 'Really accept' }).waitFor();
    expect(workspace.has('one.csv')).toBe(true);
    await page.keyboard.press('Alt+y');
    await expect.poll(() => workspace.has('one.csv')).toBe(false);
    // The next one is open and has the keyboard; a key that is still held answers nothing.
    await waiting()
      .getByRole('button', { name: /two\.csv/, expanded: true })
      .waitFor();
    await page.keyboard.press('Alt+n');
    await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor();
    expect(workspace.has('two.csv')).toBe(true);
  });

  it('is answered together for one kind of call, without what is left out', async () => {
    for (const path of ['one.csv', 'two.csv', 'three.csv']) await remove(path);
    await page.getByRole('button', { name: '3 actions need you' }).click();
    await page.getByRole('button', { name: 'Confirm 3 × file.delete together…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm 3 × file.delete' });
    await dialog.getByRole('checkbox', { name: /two\.csv/ }).uncheck();
    await dialog.getByRole('button', { name: 'Yes, do these 2' }).click();
    await expect.poll(() => workspace.has('one.csv') || workspace.has('three.csv')).toBe(false);
    expect(workspace.has('two.csv')).toBe(true);
    await page.getByRole('heading', { name: '1 waiting for you' }).waitFor();
  });

  it('leaves out of a batch what has changed since it was shown', async () => {
    for (const path of ['one.csv', 'two.csv']) await remove(path);
    await page.getByRole('button', { name: '2 actions need you' }).click();
    workspace.write('one.csv', 'changed by another program, and longer\n');
    await page.getByRole('button', { name: /together…/ }).click();
    await page.getByRole('button', { name: 'Yes, do all 2' }).click();
    await page.getByText('1 of 2 confirmed', { exact: false }).first().waitFor();
    expect(workspace.read('one.csv')).toContain('changed by another program');
    await waiting().getByText('It has changed since it was asked', { exact: false }).waitFor();
  });
});

describe('what was done', () => {
  it('is found by what is in the URL, opened by key, and taken back from there', async () => {
    await act(server, 'doc.edit', { path: 'notes.md', edits: [{ old: '# Notes\n', new: '# Tides\n' }] });
    await act(server, 'file.create', { path: 'new.md', text: 'x\n' });
    await page.goto(`${server.url}w/x/audit?object=notes.md`);
    const rows = page.getByRole('list', { name: 'Actions, Today' });
    await expect.poll(() => rows.getByRole('listitem').count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Words that occur in it' }).fill('nothing-like-it');
    await page.getByRole('heading', { name: 'Nothing fits' }).waitFor();
    await expect.poll(() => page.url()).toContain('q=nothing-like-it');
    await page.getByRole('button', { name: 'Show everything' }).click();
    await expect.poll(() => rows.getByRole('listitem').count()).toBe(2);
    await rows.getByRole('button').first().focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await rows.getByText('+1 −1').waitFor();
    await rows.getByRole('button', { name: /^Copy the hash: envelope/ }).waitFor();
    await rows.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => workspace.read('notes.md')).toBe('# Notes\n');
    await rows.getByText('It has been taken back.').waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('none changed or removed', { exact: false }).first().waitFor();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has nothing that axe finds, opened, and neither has what needs you, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme });
      await act(server, 'doc.edit', { path: 'notes.md', edits: [{ old: '# Notes\n', new: '# Tides\n' }] });
      await remove('one.csv');
      await remove('two.csv');
      await page.goto(`${server.url}w/x/audit`);
      await page.getByRole('list', { name: 'Actions, Today' }).getByRole('button').first().click();
      await page.getByText('What the audit holds, as it is hashed').click();
      expect(await violations()).toEqual([]);
      await page.keyboard.press('Alt+u');
      await waiting().waitFor();
      expect(await violations()).toEqual([]);
      await page.getByRole('button', { name: /together…/ }).click();
      await page.getByRole('dialog').waitFor();
      expect(await violations()).toEqual([]);
    });
  }
});

/** What axe finds, one line each. */
async function violations(): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
  });
}
