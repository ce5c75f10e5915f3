// Typing while the server is away, with a window that does not stay open until it is back.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eachOn } from './each';
import { cellOf, code, notebookOf } from './notebooks';
import { editor, freePort, openFromTree, openWindow, serve, textOf } from './support';

const TOKEN = 'a-token-of-this-test-that-is-long-enough';
const FILE = 'lib/model.py';
const at = eachOn({
  [FILE]: 'one\ntwo\nthree\n',
  'other.txt': 'other\n',
  'tides.ipynb': notebookOf([code('first', 'x = 1'), code('second', 'y = 2')]),
});

const onDisk = (path = FILE) => expect.poll(() => at.workspace.read(path), { timeout: 15_000 });

/** A window on a server whose port stays the same. */
async function windowOn(port: number): Promise<Page> {
  await at.server.kill();
  at.server = await serve(at.workspace, port, TOKEN);
  const page = await openWindow(at.browser, at.server);
  page.on('dialog', (dialog) => void dialog.accept());
  return page;
}

/** Kills the server and types at the end of the file. */
async function typeOffline(page: Page, text: string, path = FILE): Promise<void> {
  await at.server.kill();
  await page.getByText('Your edits sync when it is back.').first().waitFor();
  await editor(page, path).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
  await page.getByText('not synced yet').waitFor();
}

/** Loads the window again while nobody answers: the browser shows its own error. */
const reloadInVain = (page: Page) => page.reload().catch(() => {});

/** Starts the server again, and another window of the same browser on it. */
async function comeBack(port: number, context: BrowserContext): Promise<Page> {
  at.server = await serve(at.workspace, port, TOKEN);
  const page = await context.newPage();
  await page.goto(`${at.server.url}#token=${TOKEN}`);
  await page.getByText('Synced', { exact: true }).waitFor();
  return page;
}

/** How many pieces of unsynced changes the browser stores. */
const stored = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        const opening = indexedDB.open('aside-unsynced');
        opening.onsuccess = () => {
          const counting = opening.result.transaction('changes').objectStore('changes').count();
          counting.onsuccess = () => done(counting.result);
        };
      }),
  );

describe('a text that was typed while the server was away', () => {
  it('survives a reload, and is there once', async () => {
    const port = await freePort();
    const page = await windowOn(port);
    await openFromTree(page, FILE);
    await typeOffline(page, 'four\nfive');
    await reloadInVain(page);
    at.server = await serve(at.workspace, port, TOKEN);
    await page.goto(at.server.url);
    await onDisk().toBe('one\ntwo\nthree\nfour\nfive');
    await expect.poll(() => textOf(page, FILE)).toBe('one\ntwo\nthree\nfour\nfive');
    await expect.poll(() => stored(page)).toBe(0);
  });

  it('of several windows comes back by another tab', async () => {
    const port = await freePort();
    const first = await windowOn(port);
    const second = await first.context().newPage();
    second.on('dialog', (dialog) => void dialog.accept());
    await second.goto(at.server.url);
    await openFromTree(first, FILE);
    await openFromTree(second, 'other.txt');
    await typeOffline(first, 'four');
    await editor(second, 'other.txt').click();
    await second.keyboard.press('Control+End');
    await second.keyboard.type('more');
    const context = first.context();
    const last = await context.newPage();
    for (const page of [first, second]) await page.close();
    const page = await comeBack(port, context);
    await onDisk().toBe('one\ntwo\nthree\nfour');
    await onDisk('other.txt').toBe('other\nmore');
    await page
      .getByText(/Synced unsaved changes to/)
      .first()
      .waitFor();
    await expect.poll(() => stored(page)).toBe(0);
    await last.close();
  });

  it('merges with a document rebuilt from disk', async () => {
    const port = await freePort();
    const page = await windowOn(port);
    await openFromTree(page, FILE);
    await typeOffline(page, 'four');
    await reloadInVain(page);
    for (const folder of ['.aside']) rmSync(join(at.workspace.folder, folder), { recursive: true });
    at.workspace.write(FILE, 'ONE\ntwo\nthree\n');
    at.server = await serve(at.workspace, port, TOKEN);
    await page.goto(`${at.server.url}#token=${TOKEN}`);
    await onDisk().toBe('ONE\ntwo\nthree\nfour');
  });

  it('is merged from a window that stayed open', async () => {
    const port = await freePort();
    const page = await windowOn(port);
    await openFromTree(page, FILE);
    await typeOffline(page, 'four');
    rmSync(join(at.workspace.folder, '.aside'), { recursive: true });
    await comeBack(port, page.context());
    await onDisk().toBe('one\ntwo\nthree\nfour');
    await expect.poll(() => textOf(page, FILE)).toBe('one\ntwo\nthree\nfour');
    await expect.poll(() => stored(page)).toBe(0);
  });

  it('is offered where its file is gone', async () => {
    const port = await freePort();
    const page = await windowOn(port);
    await openFromTree(page, FILE);
    await typeOffline(page, 'four');
    await reloadInVain(page);
    rmSync(join(at.workspace.folder, FILE));
    rmSync(join(at.workspace.folder, '.aside'), { recursive: true });
    at.server = await serve(at.workspace, port, TOKEN);
    await page.goto(`${at.server.url}#token=${TOKEN}`);
    await page.getByText('could not be merged').waitFor();
    await page.reload();
    await page.getByText('could not be merged').waitFor();
    await page.getByRole('button', { name: 'Discard my text' }).click();
    await expect.poll(() => stored(page)).toBe(0);
  });

  it('of a notebook comes back in its cell', async () => {
    const port = await freePort();
    const page = await windowOn(port);
    await page.getByRole('treeitem', { name: 'tides.ipynb' }).click();
    await cellOf(page, 'second').getByText('y = 2').click();
    await at.server.kill();
    await page.getByText('Your edits sync when it is back.').first().waitFor();
    await cellOf(page, 'second').getByRole('textbox').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' + x');
    await page.getByText('not synced yet').waitFor();
    await reloadInVain(page);
    await comeBack(port, page.context());
    await onDisk('tides.ipynb').toContain('y = 2 + x');
    expect(at.workspace.read('tides.ipynb').split('+ x')).toHaveLength(2);
  });
});

describe('unsynced text', () => {
  it('makes the browser ask before the window goes', async () => {
    const page = await windowOn(await freePort());
    await openFromTree(page, FILE);
    await typeOffline(page, 'four');
    const asked = page.waitForEvent('dialog');
    await reloadInVain(page);
    expect((await asked).type()).toBe('beforeunload');
  });

  it('that the browser can’t store is told of', async () => {
    const port = await freePort();
    await at.server.kill();
    at.server = await serve(at.workspace, port, TOKEN);
    const context = await at.browser.newContext();
    await context.addInitScript(() => {
      IDBObjectStore.prototype.add = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    const page = await context.newPage();
    await page.goto(`${at.server.url}#token=${TOKEN}`);
    await openFromTree(page, FILE);
    await typeOffline(page, 'four');
    await page.getByText('its storage is full: leave this window open').waitFor();
    at.server = await serve(at.workspace, port, TOKEN);
    await onDisk().toBe('one\ntwo\nthree\nfour');
  });
});
